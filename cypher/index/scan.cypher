// Every version behind an id, by id, so many at a time.
// mode: read
// unscoped: the rebuild of the index and the doctor copy or count every version; no caller sees the rows
// params: after, limit
// rows: at most limit {memory, label}
MATCH (m:Memory)
WHERE m.id > $after
WITH m ORDER BY m.id LIMIT $limit
RETURN m {.*, search_terms: null, search_scope: null} AS memory,
       [l IN labels(m) WHERE NOT l IN ['Memory', 'Ruled']][0] AS label
ORDER BY m.id
