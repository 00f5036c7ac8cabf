// What the store knows of these versions, locked in id order: themselves with their links, the heads of their chains,
// the version that superseded each, and which of them an import by this name brought.
// mode: write
// params: ids, chain_ids, run
// rows: zero or more {memory, label, links, supersedes, follower, mine}
CALL () {
  UNWIND $ids AS id
  MATCH (m:Memory {id: id})
  RETURN m
  UNION
  UNWIND $chain_ids AS chain_id
  MATCH (m:Memory {head_key: chain_id})
  RETURN m
}
WITH m ORDER BY m.id
SET m += {}
RETURN m {.*} AS memory,
       [l IN labels(m) WHERE NOT l IN ['Memory', 'Ruled']][0] AS label,
       COLLECT { MATCH (m)-[r:LINKS_TO]->(:LinkTarget) RETURN [r.text, r.target] ORDER BY r.position } AS links,
       [(m)-[s:SUPERSEDES]->(o:Memory) | {id: o.id, actor: s.actor, reason: s.reason}][0] AS supersedes,
       [(n)-[:SUPERSEDES]->(m) | n.id][0] AS follower,
       EXISTS { MATCH (a:AuditRecord {memory_id: m.id}) WHERE a.action = 'IMPORTED' AND a.run = $run } AS mine
