// Claims retry keys; a key that was claimed before answers with its record.
// mode: write
// params: rows, claim, at
// rows: one a row {key, fresh, input_hash, action, memory_id, reason}; fresh = this transaction made the record
UNWIND $rows AS row
MERGE (i:IdempotencyRecord {key: row.key})
ON CREATE SET i.input_hash = row.input_hash, i.at = $at, i.claim = $claim
RETURN i.key AS key, i.claim = $claim AS fresh, i.input_hash AS input_hash,
       i.action AS action, i.memory_id AS memory_id, i.reason AS reason
