// Waits for the lock of the migrations, and holds it until the transaction ends.
// mode: write
// params:
// rows: none
MERGE (l:MigrationLock {key: 'migrations'})
SET l += {}
