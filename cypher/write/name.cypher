// Makes the names of versions anew, so that links find them.
// mode: write
// params: ids, rows
// rows: none
CALL () {
  UNWIND $ids AS id
  MATCH (m:Memory {id: id})-[r:NAMED]->(t:LinkTarget)
  USING INDEX SEEK m:Memory(id)
  DELETE r
  WITH DISTINCT t
  WHERE NOT EXISTS { (t)--() }
  DELETE t
}
UNWIND $rows AS row
MATCH (m:Memory {id: row.id})
MERGE (t:LinkTarget {key: row.key})
ON CREATE SET t.name = row.name
CREATE (m)-[:NAMED {by_title: row.by_title}]->(t)
