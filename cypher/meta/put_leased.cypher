// Remembers settings of the store, where the lease is still the one that was taken.
// mode: write
// params: lease, fence, rows
// rows: one {put}: how many settings, 0 when the lease was lost
MATCH (l:Meta {key: $lease, fence: $fence})
SET l += {}
WITH l
UNWIND $rows AS row
MERGE (m:Meta {key: row.key})
SET m.value = row.value
RETURN count(m) AS put
