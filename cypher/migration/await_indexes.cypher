// Waits until every index answers; fails when one cannot be built.
// mode: read
// params: seconds
// rows: none
// unscoped: returns nothing
CALL db.awaitIndexes($seconds)
