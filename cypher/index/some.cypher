// These versions, in no order.
// mode: read
// unscoped: the rebuild of the index copies every version; no caller sees the rows
// params: ids
// rows: at most one an id {memory, label}
MATCH (m:Memory)
WHERE m.id IN $ids
RETURN m {.*, search_terms: null, search_scope: null} AS memory,
       [l IN labels(m) WHERE NOT l IN ['Memory', 'Ruled']][0] AS label
