// The memories that a filter lets through, newest first, from behind a place in that order.
// mode: read
// params: labels, kinds, keywords, source, after, before, at, id, now, limit
// rows: at most limit {memory, label}
MATCH (m:Memory)
USING INDEX SEEK m:Memory(created_at)
WHERE m.created_at <= $at AND (m.created_at < $at OR m.id < $id)
  AND /*shown:m*/ false
  AND /*access:m*/ false
  AND ($labels = [] OR any(l IN labels(m) WHERE l IN $labels))
  AND ($kinds = [] OR m.kind IN $kinds)
  AND all(k IN $keywords WHERE k IN m.keywords)
  AND ($source IS NULL OR m.source_file = $source OR $source IN m.sources)
  AND m.created_at >= $after AND m.created_at < $before
WITH m ORDER BY m.created_at DESC, m.id DESC LIMIT $limit
RETURN m {.*, search_terms: null, search_scope: null} AS memory,
       [l IN labels(m) WHERE NOT l IN ['Memory', 'Ruled']][0] AS label
ORDER BY m.created_at DESC, m.id DESC
