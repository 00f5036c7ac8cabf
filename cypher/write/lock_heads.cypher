// The heads of the chains that these ids name, locked in id order, as they stand under the lock.
// mode: write
// params: ids
// rows: zero or more {asked, memory, label}; asked = the given ids of that chain
UNWIND $ids AS id
MATCH (m:Memory {id: id})
USING INDEX SEEK m:Memory(id)
MATCH (h:Memory {head_key: m.chain_id})
USING INDEX SEEK h:Memory(head_key)
WITH h, collect(DISTINCT id) AS asked
ORDER BY h.id
SET h += {}
RETURN asked, h {.*} AS memory, [l IN labels(h) WHERE NOT l IN ['Memory', 'Ruled']][0] AS label
