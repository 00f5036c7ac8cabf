// Creates versions at their paths, live ones inside their scopes, each with its audit record, its unnumbered
// change and its index work; rows are places, so that what versions share is looked up once.
// mode: write
// params: places, now
// rows: one {created}
UNWIND $places AS place
MATCH (p:Path {path: place.path})
MERGE (s:Scope {key: place.scope})
ON CREATE SET s.path = place.path, s.ancestors = place.ancestors, s.tags = place.tags, s.tag_keys = place.tag_keys
WITH place, p, s
UNWIND place.versions AS row
CREATE (m:Memory:Ruled)-[:AT]->(p)
SET m = row.properties, m:$(row.label)
FOREACH (name IN row.now | SET m[name] = $now)
FOREACH (_ IN CASE WHEN row.counted = 'IN' THEN [1] ELSE [] END | CREATE (m)-[:IN]->(s))
FOREACH (_ IN CASE WHEN row.counted = 'IN_DATED' THEN [1] ELSE [] END | CREATE (m)-[:IN_DATED]->(s))
CREATE (a:AuditRecord)-[:ABOUT]->(m)
SET a = row.audit, a.at = $now
CREATE (c:Change:Ruled:Unnumbered)
SET c = row.change, c.at = $now
CREATE (:OutboxEntry {
  memory_id: m.id, revision: m.revision, purge: false, created_at: $now, due_at: $now, attempts: 0
})
RETURN count(m) AS created
