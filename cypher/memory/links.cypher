// The links of these memories in the order of the text, each with the memory of that name that the caller may
// see (same wing first, names before titles, then the oldest) and, for a path, whether it holds anything visible.
// mode: read
// params: ids, now
// rows: zero or more {id, text, target, memory_id, path}
UNWIND $ids AS id
MATCH (m:Memory {id: id})-[r:LINKS_TO]->(t:LinkTarget)
WHERE /*access:m*/ false
CALL (m, t) {
  OPTIONAL MATCH (t)<-[c:NAMED]-(n:Memory)
  WHERE n.live
    AND (n.expires_at IS NULL OR n.expires_at > $now)
    AND (n.valid_from IS NULL OR n.valid_from <= $now)
    AND (n.valid_to IS NULL OR n.valid_to > $now)
    AND /*access:n*/ false
  WITH m, n, c
  ORDER BY CASE WHEN size(n.ancestors) > 2 AND n.ancestors[2] = m.ancestors[2] THEN 0 ELSE 1 END, c.by_title,
           coalesce(n.source_file, ''), coalesce(n.line_start, 0), n.created_at, n.id
  LIMIT 1
  RETURN n.id AS memory_id
}
CALL (t) {
  OPTIONAL MATCH (s:Scope)
  WHERE t.path IS NOT NULL
    AND (s.path = t.path OR s.path STARTS WITH t.path + '/')
    AND /*access:s*/ false
    AND (EXISTS { (s)<-[:IN]-() } OR EXISTS {
      MATCH (s)<-[:IN_DATED]-(d)
      WHERE (d.expires_at IS NULL OR d.expires_at > $now)
        AND (d.valid_from IS NULL OR d.valid_from <= $now)
        AND (d.valid_to IS NULL OR d.valid_to > $now)
    })
  WITH s LIMIT 1
  RETURN CASE WHEN s IS NULL THEN null ELSE t.path END AS path
}
RETURN id, r.text AS text, r.target AS target, memory_id, path
ORDER BY id, r.position
