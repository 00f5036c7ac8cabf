// Of these ids those that the caller may read, in no order.
// mode: read
// params: ids
// rows: one {ids}
MATCH (m:Memory)
WHERE m.id IN $ids
  AND /*access:m*/ false
RETURN collect(m.id) AS ids
