// Keeps audit records as they were written elsewhere; of a purged version without the reason, which is text.
// mode: write
// params: rows
// rows: none
UNWIND $rows AS row
OPTIONAL MATCH (t:Tombstone {memory_id: row.memory_id})
CREATE (a:AuditRecord)
SET a = row
FOREACH (_ IN CASE WHEN t IS NULL THEN [] ELSE [1] END | REMOVE a.reason)
WITH a
MATCH (m:Memory {id: a.memory_id})
CREATE (a)-[:ABOUT]->(m)
