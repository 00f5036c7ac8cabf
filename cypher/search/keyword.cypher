// The memories that a keyword query finds, best first.
// mode: read
// params: query, limit
// rows: at most limit {id, score}
CALL db.index.fulltext.queryNodes('memory_terms', $query, {limit: $limit}) YIELD node AS m, score
WHERE /*access:m*/ false
RETURN m.id AS id, score
ORDER BY score DESC, id
