// The revision of every version behind an id, by id, so many at a time, and what is missing in the graph itself.
// mode: read
// unscoped: the doctor compares stores; it tells counts to admins only
// params: after, limit
// rows: at most limit {id, revision, indexed_revision, live, waiting, words, paths, scopes, whole}
MATCH (m:Memory)
WHERE m.id > $after
WITH m ORDER BY m.id LIMIT $limit
RETURN m.id AS id, m.revision AS revision, m.indexed_revision AS indexed_revision, m.live AS live,
       EXISTS { MATCH (:OutboxEntry {memory_id: m.id}) } AS waiting,
       m.search_terms IS NOT NULL AND m.search_scope IS NOT NULL AS words,
       COUNT { (m)-[:AT]->(:Path) } AS paths,
       COUNT { (m)-[:IN|IN_DATED]->(:Scope) } AS scopes,
       m.id IS NOT NULL AND m.chain_id IS NOT NULL AND m.path IS NOT NULL AND m.ancestors IS NOT NULL
         AND m.tags IS NOT NULL AND m.tag_keys IS NOT NULL AND m.owner IS NOT NULL
         AND m.content IS NOT NULL AND m.created_at IS NOT NULL AND m.status IS NOT NULL AS whole
ORDER BY m.id
