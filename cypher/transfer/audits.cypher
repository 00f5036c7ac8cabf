// A page of audit records in the order of their ids; without those of imports and of untouched facts of a new store.
// mode: read
// unscoped: the audit of the whole store, for an admin of everything
// params: after, limit
// rows: at most limit {audit}
MATCH (a:AuditRecord)
WHERE a.id > $after AND a.action <> 'IMPORTED'
  AND NOT EXISTS {
    MATCH (a)-[:ABOUT]->(m)
    WHERE 'graphmem:seed' IN m.sources AND m.version = 1 AND m.revision = 1 AND '/memory' IN m.ancestors
      AND NOT EXISTS { MATCH (m)<-[:ABOUT]-(other:AuditRecord) WHERE other.action <> 'STORED' }
  }
RETURN a {.*} AS audit
ORDER BY a.id LIMIT $limit
