// Puts live heads into the scope of their path and own tags, so that counts cost a degree.
// mode: write
// params: rows
// rows: none
UNWIND $rows AS row
MATCH (m:Memory {id: row.id})
MERGE (s:Scope {key: row.key})
ON CREATE SET s.path = m.path, s.ancestors = m.ancestors, s.tags = m.tags, s.tag_keys = m.tag_keys
FOREACH (_ IN CASE WHEN row.dated THEN [] ELSE [1] END | MERGE (m)-[:IN]->(s))
FOREACH (_ IN CASE WHEN row.dated THEN [1] ELSE [] END | MERGE (m)-[:IN_DATED]->(s))
