// Takes off work that was done, where its revision is still the one that was applied.
// mode: write
// params: lease, fence, rows
// rows: one {done}
MATCH (l:Meta {key: $lease, fence: $fence})
UNWIND $rows AS row
MATCH (o:OutboxEntry {memory_id: row.memory_id})
SET o += {}
WITH o, row WHERE o.revision = row.revision
DELETE o
WITH row
OPTIONAL MATCH (m:Memory {id: row.memory_id})
SET m.indexed_revision = row.revision
RETURN count(*) AS done
