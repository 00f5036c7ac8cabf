// Of these ids the memories that a search may show now, in no order.
// mode: read
// params: ids, now
// rows: zero or more {memory, label}
MATCH (m:Memory)
WHERE m.id IN $ids
  AND /*shown:m*/ false
  AND /*access:m*/ false
RETURN m {.*, search_terms: null, search_scope: null} AS memory,
       [l IN labels(m) WHERE NOT l IN ['Memory', 'Ruled']][0] AS label
