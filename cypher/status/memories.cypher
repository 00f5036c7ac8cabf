// How many live memories the caller may read, by the scopes that count them.
// mode: read
// rows: one {memories}
MATCH (s:Scope)
WHERE /*access:s*/ false
RETURN sum(COUNT { (s)<-[:IN|IN_DATED]-() }) AS memories
