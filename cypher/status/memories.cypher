// How many memories the caller may see now, by the scopes that count them.
// mode: read
// params: now
// rows: one {memories}
MATCH (s:Scope)
WHERE /*access:s*/ false
RETURN sum(COUNT { (s)<-[:IN]-() } + COUNT {
  MATCH (s)<-[:IN_DATED]-(m)
  WHERE (m.expires_at IS NULL OR m.expires_at > $now)
    AND (m.valid_from IS NULL OR m.valid_from <= $now)
    AND (m.valid_to IS NULL OR m.valid_to > $now)
}) AS memories
