// The index work that is due, oldest first, for the holder of the lease.
// mode: read
// unscoped: the index worker copies what rules read into the index; no caller sees the rows
// params: lease, fence, now, limit
// rows: at most limit {entry, memory, label}; memory is null once it was purged
MATCH (l:Meta {key: $lease, fence: $fence})
MATCH (o:OutboxEntry)
WHERE o.due_at <= $now
WITH o ORDER BY o.due_at, o.memory_id LIMIT $limit
OPTIONAL MATCH (m:Memory {id: o.memory_id})
RETURN o {.memory_id, .revision, .purge, .windows, .attempts} AS entry,
       m {.*, search_terms: null, search_scope: null} AS memory,
       [l IN labels(m) WHERE NOT l IN ['Memory', 'Ruled']][0] AS label
ORDER BY o.due_at, o.memory_id
