// A page of the marks of purged versions, in the order of their ids.
// mode: read
// unscoped: a purged memory has no rights left; for an admin of everything
// params: after, limit
// rows: at most limit {tombstone}
MATCH (t:Tombstone)
WHERE t.memory_id > $after
RETURN t {.*} AS tombstone
ORDER BY t.memory_id LIMIT $limit
