// The memories that a keyword query finds, best first.
// mode: read
// params: query, limit, after, before
// rows: at most limit {id, score}
CALL db.index.fulltext.queryNodes('memory_terms', $query, {limit: $limit}) YIELD node AS m, score
WHERE m.created_at >= $after AND m.created_at < $before
  AND /*access:m*/ false
RETURN m.id AS id, score
ORDER BY score DESC, id
