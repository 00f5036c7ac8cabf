// Makes the links of versions anew.
// mode: write
// params: ids, rows
// rows: none
CALL () {
  UNWIND $ids AS id
  MATCH (m:Memory {id: id})-[r:LINKS_TO]->(t:LinkTarget)
  USING INDEX SEEK m:Memory(id)
  DELETE r
  WITH DISTINCT t
  WHERE NOT EXISTS { (t)--() }
  DELETE t
}
UNWIND $rows AS row
MATCH (m:Memory {id: row.id})
MERGE (t:LinkTarget {key: row.key})
ON CREATE SET t.name = row.target
SET t.path = coalesce(t.path, row.path)
CREATE (m)-[:LINKS_TO {text: row.text, target: row.target, position: row.position}]->(t)
