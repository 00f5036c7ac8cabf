// Asks for the index work of versions anew, whatever was done before.
// mode: write
// params: ids, now
// rows: none
UNWIND $ids AS id
MATCH (m:Memory {id: id})
MERGE (o:OutboxEntry {memory_id: id})
ON CREATE SET o.created_at = $now
SET o.revision = m.revision, o.purge = false, o.due_at = $now, o.attempts = 0, m.indexed_revision = 0
REMOVE o.last_error, o.dead
