// Fills the claimed records with what came of their commands; of a purged memory nothing but key and id is kept.
// mode: write
// params: rows
// rows: none
UNWIND $rows AS row
MATCH (i:IdempotencyRecord {key: row.key})
SET i.action = row.action, i.memory_id = row.memory_id, i.reason = row.reason,
    i.input_hash = CASE WHEN row.purged THEN null ELSE row.input_hash END
REMOVE i.claim
