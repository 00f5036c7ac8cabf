// Which of these audit records are there.
// mode: read
// unscoped: ids that the asker sent, for an admin of everything
// params: ids
// rows: zero or more {id}
UNWIND $ids AS id
MATCH (a:AuditRecord {id: id})
RETURN DISTINCT a.id AS id
