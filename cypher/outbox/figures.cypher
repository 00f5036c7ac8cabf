// How much index work waits, and since when: the numbers cost the same however much it is.
// mode: read
// unscoped: figures for the operator, told to admins only
// rows: one {waiting, dead, oldest}
CALL () {
  MATCH (o:OutboxEntry)
  RETURN count(o) AS entries
}
CALL () {
  MATCH (o:OutboxEntry {dead: true})
  USING INDEX SEEK o:OutboxEntry(dead)
  RETURN count(o) AS dead
}
CALL () {
  CALL () {
    MATCH (o:OutboxEntry)
    USING INDEX o:OutboxEntry(due_at)
    WHERE o.due_at IS NOT NULL
    RETURN o.created_at AS since ORDER BY o.due_at LIMIT 1
    UNION ALL
    MATCH (o:OutboxEntry {dead: false})
    USING INDEX SEEK o:OutboxEntry(dead)
    RETURN o.created_at AS since
  }
  RETURN min(since) AS oldest
}
RETURN entries - dead AS waiting, dead, oldest
