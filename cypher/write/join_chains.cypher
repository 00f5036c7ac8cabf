// Joins new heads to the versions that they supersede.
// mode: write
// params: rows
// rows: none
UNWIND $rows AS row
MATCH (new:Memory {id: row.new})
MATCH (old:Memory {id: row.old})
CREATE (new)-[:SUPERSEDES {reason: row.reason, actor: row.actor, at: row.at}]->(old)
