// Turns the audit records of new versions into those of an import, and takes versions that are not live out of the
// scopes, which count live ones.
// mode: write
// params: rows, run
// rows: none
UNWIND $rows AS row
MATCH (a:AuditRecord {id: row.audit})-[:ABOUT]->(m:Memory {id: row.memory_id})
USING INDEX SEEK a:AuditRecord(id)
SET a.action = 'IMPORTED', a.run = $run
WITH m, row WHERE NOT row.live
MATCH (m)-[r:IN|IN_DATED]->(:Scope)
DELETE r
