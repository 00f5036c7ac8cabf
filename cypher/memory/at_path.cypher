// The memories at exactly these paths, oldest first, from behind a place in that order, so many a path.
// mode: read
// params: paths, at, id, now, limit
// rows: at most limit a path {path, memory, label}
UNWIND $paths AS path
MATCH (p:Path {path: path})
CALL (p) {
  MATCH (p)<-[:AT]-(m:Memory)
  WHERE m.created_at >= $at AND (m.created_at > $at OR m.id > $id)
    AND /*shown:m*/ false
    AND /*access:m*/ false
  RETURN m ORDER BY m.created_at, m.id LIMIT $limit
}
RETURN path, m {.*, search_terms: null, search_scope: null} AS memory,
       [l IN labels(m) WHERE NOT l IN ['Memory', 'Ruled']][0] AS label
ORDER BY path, m.created_at, m.id
