// Marks versions as purged elsewhere; a mark that is there stays as it is.
// mode: write
// params: rows
// rows: one a row {memory_id, fresh}
UNWIND $rows AS row
OPTIONAL MATCH (before:Tombstone {memory_id: row.memory_id})
WITH row, before IS NULL AS fresh
MERGE (t:Tombstone {memory_id: row.memory_id})
ON CREATE SET t = row
RETURN row.memory_id AS memory_id, fresh
