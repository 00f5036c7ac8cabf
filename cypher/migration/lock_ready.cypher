// Makes sure that the lock of the migrations is one node. It has a label of its own, for an open change of a
// node holds up every schema change of its label.
// mode: write
// params:
// rows: none
CREATE CONSTRAINT migration_lock_key IF NOT EXISTS FOR (l:MigrationLock) REQUIRE l.key IS UNIQUE
