// A page of versions in the order of their ids, written up to an instant, each with its links and what it superseded;
// without the facts that a new store holds about itself and nobody touched.
// mode: read
// params: after, until, limit
// rows: at most limit {memory, label, links, supersedes}
MATCH (m:Memory)
WHERE m.id > $after AND m.created_at <= $until
  AND NOT (
    'graphmem:seed' IN m.sources AND m.version = 1 AND m.revision = 1 AND '/memory' IN m.ancestors
    AND NOT EXISTS { MATCH (m)<-[:ABOUT]-(a:AuditRecord) WHERE a.action <> 'STORED' }
  )
  AND /*access:m*/ false
WITH m ORDER BY m.id LIMIT $limit
RETURN m {.*, search_terms: null, search_scope: null} AS memory,
       [l IN labels(m) WHERE NOT l IN ['Memory', 'Ruled']][0] AS label,
       COLLECT { MATCH (m)-[r:LINKS_TO]->(:LinkTarget) RETURN [r.text, r.target] ORDER BY r.position } AS links,
       [(m)-[s:SUPERSEDES]->(o:Memory) | {id: o.id, actor: s.actor, reason: s.reason}][0] AS supersedes
ORDER BY m.id
