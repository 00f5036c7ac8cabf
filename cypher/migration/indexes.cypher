// The indexes of this store that no constraint owns and the server does not make by itself, by name.
// mode: read
// params:
// rows: one an index {name, statement}; statement = the command that makes it
// unscoped: holds the schema and nothing that a caller stored
SHOW INDEXES YIELD name, type, owningConstraint, createStatement
WHERE owningConstraint IS NULL AND type <> 'LOOKUP'
RETURN name, createStatement AS statement
ORDER BY name
