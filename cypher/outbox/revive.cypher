// Makes dead work due again.
// mode: write
// params: now
// rows: one {revived}
MATCH (o:OutboxEntry {dead: true})
USING INDEX SEEK o:OutboxEntry(dead)
SET o.due_at = $now, o.attempts = 0
REMOVE o.dead
RETURN count(o) AS revived
