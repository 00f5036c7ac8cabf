// How many memories the caller may see now, by the scopes that count them.
// mode: read
// params: now
// rows: one {memories}
MATCH (s:Scope)
WHERE /*access:s*/ false
RETURN sum(COUNT { (s)<-[:IN]-() } + COUNT {
  MATCH (s)<-[:IN_DATED]-(m)
  WHERE /*shown:m*/ false
}) AS memories
