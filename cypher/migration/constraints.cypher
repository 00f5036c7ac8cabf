// The constraints of this store, by name.
// mode: read
// params:
// rows: one a constraint {name, statement}; statement = the command that makes it
// unscoped: holds the schema and nothing that a caller stored
SHOW CONSTRAINTS YIELD name, createStatement
RETURN name, createStatement AS statement
ORDER BY name
