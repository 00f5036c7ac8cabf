// Gives a lease back, so that the next holder need not wait.
// mode: write
// params: key, holder
// rows: none
MATCH (l:Meta {key: $key, holder: $holder})
SET l.until = datetime({epochMillis: 0})
REMOVE l.holder
