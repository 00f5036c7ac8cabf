// Makes paths and the steps between them, rows from the root down; what a path is called already stays.
// mode: write
// params: rows
// rows: one a row {path, display_name, declared, tags}; as the path was before, nulls where there was none
UNWIND $rows AS row
OPTIONAL MATCH (before:Path {path: row.path})
WITH row, before.display_name AS display_name, before.declared AS declared, before.tags AS tags
MERGE (p:Path {path: row.path})
ON CREATE SET p:Ruled, p.segment = row.segment, p.ancestors = row.ancestors, p.declared = false
SET p.display_name = coalesce(p.display_name, row.display_name),
    p.declared = p.declared OR row.declared,
    p.tags = CASE WHEN coalesce(size(tags), 0) = 0 THEN row.tags ELSE p.tags END,
    p.tag_keys = CASE WHEN coalesce(size(tags), 0) = 0 THEN row.tag_keys ELSE p.tag_keys END
FOREACH (_ IN CASE WHEN row.wing THEN [1] ELSE [] END | SET p:Wing)
FOREACH (_ IN CASE WHEN row.room THEN [1] ELSE [] END | SET p:Room)
WITH row, p, display_name, declared, tags
CALL (row, p) {
  MATCH (above:Path {path: row.parent})
  MERGE (p)-[:CHILD_OF]->(above)
}
RETURN row.path AS path, display_name, declared, tags
