// Asks for index work; a later revision of a memory takes the place of an earlier one.
// mode: write
// params: rows, now
// rows: none
UNWIND $rows AS row
MERGE (o:OutboxEntry {memory_id: row.memory_id})
ON CREATE SET o.created_at = $now
SET o.revision = row.revision, o.purge = row.purge, o.windows = row.windows, o.due_at = $now, o.attempts = 0
REMOVE o.last_error, o.dead
