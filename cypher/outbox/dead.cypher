// The work that was given up, by memory id.
// mode: read
// unscoped: ids and reasons for the operator, told to admins only
// params: limit
// rows: at most limit {memory_id, attempts, last_error}
MATCH (o:OutboxEntry {dead: true})
USING INDEX SEEK o:OutboxEntry(dead)
RETURN o.memory_id AS memory_id, o.attempts AS attempts, o.last_error AS last_error
ORDER BY memory_id LIMIT $limit
