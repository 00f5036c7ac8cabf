// The migrations that this store has been through, in their order.
// mode: read
// params:
// rows: one a migration {key, name, checksum, version}; version = of the GraphMem that applied it
// unscoped: holds the schema's history and nothing that a caller stored
MATCH (m:Meta)
WHERE m.key STARTS WITH 'migration/'
RETURN m.key AS key, m.name AS name, m.checksum AS checksum, m.version AS version
ORDER BY key
