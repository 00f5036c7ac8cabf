// All versions of these chains that the caller may read, newest first.
// mode: read
// params: chain_ids
// rows: zero or more {memory, label}
MATCH (m:Memory)
WHERE m.chain_id IN $chain_ids
  AND /*access:m*/ false
RETURN m {.*, search_terms: null, search_scope: null} AS memory,
       [l IN labels(m) WHERE NOT l IN ['Memory', 'Ruled']][0] AS label
ORDER BY m.chain_id, m.version DESC
