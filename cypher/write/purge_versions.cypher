// Erases versions and every text that only they held; leaves a tombstone for each.
// mode: write
// params: rows, at
// rows: none
UNWIND $rows AS row
MATCH (m:Memory {id: row.id})
MERGE (t:Tombstone {memory_id: m.id})
ON CREATE SET t.chain_id = m.chain_id, t.purged_at = $at, t.actor = row.actor
WITH m, COLLECT { MATCH (m)-[:LINKS_TO|NAMED]->(l:LinkTarget) RETURN DISTINCT l } AS targets
CALL (m) {
  MATCH (a:AuditRecord {memory_id: m.id})
  REMOVE a.reason
}
CALL (m) {
  MATCH (i:IdempotencyRecord {memory_id: m.id})
  REMOVE i.input_hash, i.reason
  SET i.action = 'PURGED'
}
DETACH DELETE m
WITH targets
UNWIND targets AS l
WITH DISTINCT l
WHERE NOT EXISTS { (l)--() }
DELETE l
