// Gives new versions the links of the versions before them, whose text they keep.
// mode: write
// params: rows
// rows: none
UNWIND $rows AS row
MATCH (new:Memory {id: row.new})
MATCH (old:Memory {id: row.old})-[r:LINKS_TO]->(t:LinkTarget)
USING INDEX SEEK old:Memory(id)
CREATE (new)-[copy:LINKS_TO]->(t)
SET copy = properties(r)
