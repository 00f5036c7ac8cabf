// Takes versions out of the scopes that count them.
// mode: write
// params: ids
// rows: none
UNWIND $ids AS id
MATCH (m:Memory {id: id})-[r:IN|IN_DATED]->(:Scope)
DELETE r
