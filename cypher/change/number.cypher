// Numbers committed changes that have no number yet, oldest first.
// mode: write
// params: lease, fence, limit
// rows: one {numbered}
MATCH (l:Meta {key: $lease})
SET l += {}
WITH l WHERE l.fence = $fence
MATCH (c:Unnumbered)
WITH c ORDER BY c.at, c.id LIMIT $limit
WITH collect(c) AS batch
WHERE size(batch) > 0
MATCH (counter:Meta {key: 'change/seq'})
SET counter.value = counter.value + size(batch)
WITH batch, counter.value - size(batch) AS before
UNWIND range(1, size(batch)) AS place
WITH batch[place - 1] AS c, before + place AS number
SET c.seq = number
REMOVE c:Unnumbered
RETURN count(c) AS numbered
