// Fills the claimed records with what came of their commands.
// mode: write
// params: rows
// rows: none
UNWIND $rows AS row
MATCH (i:IdempotencyRecord {key: row.key})
SET i.action = row.action, i.memory_id = row.memory_id, i.reason = row.reason
REMOVE i.claim
