// The memories that a filter lets through, strongest signal first, from behind a place in that order. Signal
// strength is Embornal's exp(-elapsed days / stability days), elapsed since the last recall or the writing.
// mode: read
// params: labels, kinds, keywords, source, after, before, strength, at, id, now, limit
// rows: at most limit {memory, label, strength}
MATCH (m:Memory)
WHERE /*shown:m*/ false
  AND /*access:m*/ false
  AND ($labels = [] OR any(l IN labels(m) WHERE l IN $labels))
  AND ($kinds = [] OR m.kind IN $kinds)
  AND all(k IN $keywords WHERE k IN m.keywords)
  AND ($source IS NULL OR m.source_file = $source OR $source IN m.sources)
  AND m.created_at >= $after AND m.created_at < $before
WITH m, duration.inSeconds(coalesce(m.last_recall_at, m.created_at), $now) AS elapsed
WITH m, (elapsed.seconds + elapsed.nanosecondsOfSecond / 1e9) / 86400.0 AS days
WITH m, exp(-1.0 * CASE WHEN days > 0 THEN days ELSE 0.0 END / m.stability_days) AS strength
WHERE strength < $strength
   OR (strength = $strength AND (m.created_at < $at OR (m.created_at = $at AND m.id < $id)))
WITH m, strength ORDER BY strength DESC, m.created_at DESC, m.id DESC LIMIT $limit
RETURN m {.*, search_terms: null, search_scope: null} AS memory,
       [l IN labels(m) WHERE NOT l IN ['Memory', 'Ruled']][0] AS label, strength
ORDER BY strength DESC, m.created_at DESC, m.id DESC
