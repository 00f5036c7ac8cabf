// The audit records from an id on, each with the chain that it is about.
// mode: read
// unscoped: ids alone, for an admin of everything
// params: since
// rows: zero or more {id, chain_id}
MATCH (a:AuditRecord)
WHERE a.id >= $since
RETURN a.id AS id, a.chain_id AS chain_id
