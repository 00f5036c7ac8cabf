// Makes paths and the steps between them; rows from the root down.
// mode: write
// params: rows
// rows: none
UNWIND $rows AS row
MERGE (p:Path {path: row.path})
ON CREATE SET p:Ruled, p.segment = row.segment, p.ancestors = row.ancestors, p.tags = [], p.tag_keys = [],
              p.declared = false
SET p.display_name = coalesce(p.display_name, row.display_name)
FOREACH (_ IN CASE WHEN row.wing THEN [1] ELSE [] END | SET p:Wing)
FOREACH (_ IN CASE WHEN row.room THEN [1] ELSE [] END | SET p:Room)
WITH p, row WHERE row.parent IS NOT NULL
MATCH (above:Path {path: row.parent})
MERGE (p)-[:CHILD_OF]->(above)
