// Hangs versions under the path that they name now.
// mode: write
// params: ids
// rows: none
UNWIND $ids AS id
MATCH (m:Memory {id: id})-[r:AT]->(:Path)
DELETE r
WITH m
MATCH (p:Path {path: m.path})
CREATE (m)-[:AT]->(p)
