// Which of these ids were purged.
// mode: write
// params: ids
// rows: zero or more {memory_id}
UNWIND $ids AS id
MATCH (t:Tombstone {memory_id: id})
SET t += {}
RETURN t.memory_id AS memory_id
