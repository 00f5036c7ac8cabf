// The links of these memories in the order of the text, each with the memory of that name that the caller may
// see (same wing first, names before titles, then the oldest) and the path of that name, if the caller may see it.
// mode: read
// params: ids, now
// rows: zero or more {id, text, target, memory_id, path}
UNWIND $ids AS id
MATCH (m:Memory {id: id})-[r:LINKS_TO]->(t:LinkTarget)
USING INDEX SEEK m:Memory(id)
WHERE /*access:m*/ false
CALL (m, t) {
  OPTIONAL MATCH (t)<-[c:NAMED]-(n:Memory)
  WHERE /*shown:n*/ false
    AND /*access:n*/ false
  WITH m, n, c
  ORDER BY CASE WHEN size(n.ancestors) > 2 AND n.ancestors[2] = m.ancestors[2] THEN 0 ELSE 1 END, c.by_title,
           coalesce(n.source_file, ''), coalesce(n.line_start, 0), n.created_at, n.id
  LIMIT 1
  RETURN n.id AS memory_id
}
CALL (t) {
  WITH t, CASE t.path WHEN '/' THEN '/' ELSE t.path + '/' END AS inside
  WHERE t.path IS NOT NULL
  CALL (t, inside) {
    MATCH (s:Scope)
    WHERE (s.path = t.path OR s.path STARTS WITH inside)
      AND /*access:s*/ false
      AND EXISTS { MATCH (s)<-[:IN|IN_DATED]-(d) WHERE /*shown:d*/ false }
    RETURN t.path AS found LIMIT 1
    UNION
    MATCH (p:Path {declared: true})
    USING INDEX SEEK p:Path(declared)
    WHERE (p.path = t.path OR p.path STARTS WITH inside)
      AND /*access:p*/ false
    RETURN t.path AS found LIMIT 1
  }
  RETURN max(found) AS path
}
RETURN id, r.text AS text, r.target AS target, memory_id, path
ORDER BY id, r.position
