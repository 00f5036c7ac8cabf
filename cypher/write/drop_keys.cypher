// Takes back the claims of commands that were refused.
// mode: write
// params: keys
// rows: none
UNWIND $keys AS key
MATCH (i:IdempotencyRecord {key: key})
DELETE i
