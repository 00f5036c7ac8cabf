// Remembers settings of the store.
// mode: write
// params: rows
// rows: none
UNWIND $rows AS row
MERGE (m:Meta {key: row.key})
SET m.value = row.value
