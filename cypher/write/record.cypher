// Notes what was done: one audit record and one unnumbered change a row; neither holds content.
// mode: write
// params: rows, now
// rows: none
UNWIND $rows AS row
CREATE (a:AuditRecord)
SET a = row.audit, a.at = $now
CREATE (c:Change:Ruled:Unnumbered)
SET c = row.change, c.at = $now
WITH a, row
MATCH (m:Memory {id: row.audit.memory_id})
CREATE (a)-[:ABOUT]->(m)
