// How much index work waits, and since when.
// mode: read
// unscoped: figures for the operator, told to admins only
// rows: one {waiting, dead, oldest}
MATCH (o:OutboxEntry)
RETURN count(CASE WHEN o.dead IS NULL THEN 1 END) AS waiting, count(o.dead) AS dead,
       min(CASE WHEN o.dead IS NULL THEN o.created_at END) AS oldest
