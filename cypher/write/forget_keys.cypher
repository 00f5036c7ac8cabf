// Forgets retry keys that were claimed before an instant, oldest first, so many at a time.
// mode: write
// params: before, limit
// rows: one {forgotten}
MATCH (i:IdempotencyRecord)
WHERE i.at < $before
WITH i ORDER BY i.at LIMIT $limit
DELETE i
RETURN count(i) AS forgotten
