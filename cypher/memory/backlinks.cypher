// The memories whose text links to a name of these memories, oldest first.
// mode: read
// params: ids, now, first
// rows: zero or more {id, memory, label}
UNWIND $ids AS id
MATCH (m:Memory {id: id})-[:NAMED]->(t:LinkTarget)
USING INDEX SEEK m:Memory(id)
WHERE /*access:m*/ false
CALL (t) {
  MATCH (t)<-[:LINKS_TO]-(n:Memory)
  WHERE /*shown:n*/ false
    AND /*access:n*/ false
  RETURN n ORDER BY n.created_at, n.id LIMIT $first
}
WITH DISTINCT id, n
ORDER BY id, n.created_at, n.id
RETURN id, n {.*, search_terms: null, search_scope: null} AS memory,
       [l IN labels(n) WHERE NOT l IN ['Memory', 'Ruled']][0] AS label
