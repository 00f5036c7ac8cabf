// Changes properties of versions that exist; a null takes one away.
// mode: write
// params: rows
// rows: none
UNWIND $rows AS row
MATCH (m:Memory {id: row.id})
SET m += row.changes
