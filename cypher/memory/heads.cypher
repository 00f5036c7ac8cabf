// For each of these ids the head of its chain, in any state but purged, if the caller may read it.
// mode: read
// params: ids
// rows: at most one an id {asked, memory, label}
UNWIND $ids AS id
MATCH (m:Memory {id: id})
USING INDEX SEEK m:Memory(id)
MATCH (h:Memory {head_key: m.chain_id})
USING INDEX SEEK h:Memory(head_key)
WHERE /*access:h*/ false
RETURN id AS asked, h {.*, search_terms: null, search_scope: null} AS memory,
       [l IN labels(h) WHERE NOT l IN ['Memory', 'Ruled']][0] AS label
