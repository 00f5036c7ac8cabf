// Turns the audit records of new versions into those of an import.
// mode: write
// params: ids, run
// rows: none
UNWIND $ids AS id
MATCH (a:AuditRecord {id: id})
USING INDEX SEEK a:AuditRecord(id)
SET a.action = 'IMPORTED', a.run = $run
