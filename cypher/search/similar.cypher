// For each query the memories that it finds, best first, without the one that asks.
// mode: read
// params: rows, now, limit
// rows: at most limit a row {id, memory, label, score}
UNWIND $rows AS row
CALL (row) {
  CALL db.index.fulltext.queryNodes('memory_terms', row.query, {limit: $limit}) YIELD node AS m, score
  WHERE m.id <> row.id
    AND /*shown:m*/ false
    AND /*access:m*/ false
  RETURN m, score
}
RETURN row.id AS id, m {.*, search_terms: null, search_scope: null} AS memory,
       [l IN labels(m) WHERE NOT l IN ['Memory', 'Ruled']][0] AS label, score
ORDER BY id, score DESC, memory.id
