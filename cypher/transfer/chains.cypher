// All versions of these chains in the order of their ids, each with its links and what it superseded.
// mode: read
// params: chain_ids
// rows: zero or more {memory, label, links, supersedes}
MATCH (m:Memory)
WHERE m.chain_id IN $chain_ids
  AND NOT (
    'graphmem:seed' IN m.sources AND m.version = 1 AND m.revision = 1 AND '/memory' IN m.ancestors
    AND NOT EXISTS { MATCH (m)<-[:ABOUT]-(a:AuditRecord) WHERE a.action <> 'STORED' }
  )
  AND /*access:m*/ false
RETURN m {.*, search_terms: null, search_scope: null} AS memory,
       [l IN labels(m) WHERE NOT l IN ['Memory', 'Ruled']][0] AS label,
       COLLECT { MATCH (m)-[r:LINKS_TO]->(:LinkTarget) RETURN [r.text, r.target] ORDER BY r.position } AS links,
       [(m)-[s:SUPERSEDES]->(o:Memory) | {id: o.id, actor: s.actor, reason: s.reason}][0] AS supersedes
ORDER BY m.id
