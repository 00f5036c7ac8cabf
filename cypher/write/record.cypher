// Notes what was done: one audit record and one unnumbered change a row; neither holds content.
// mode: write
// params: rows
// rows: none
UNWIND $rows AS row
CREATE (a:AuditRecord)
SET a = row.audit
CREATE (c:Change:Ruled:Unnumbered)
SET c = row.change
WITH a, row
MATCH (m:Memory {id: row.audit.memory_id})
CREATE (a)-[:ABOUT]->(m)
