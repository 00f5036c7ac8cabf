// Puts work off that failed; after the last attempt it is dead (`dead` is true; false before, and absent on work
// that never failed) and waits for somebody to ask for it.
// mode: write
// params: lease, fence, rows
// rows: none
MATCH (l:Meta {key: $lease, fence: $fence})
UNWIND $rows AS row
MATCH (o:OutboxEntry {memory_id: row.memory_id, revision: row.revision})
SET o.attempts = row.attempts, o.last_error = row.error, o.due_at = row.due_at, o.dead = row.dead
