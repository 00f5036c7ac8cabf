// Every version of these chains, locked in id order.
// mode: write
// params: chain_ids
// rows: zero or more {memory, label}
MATCH (m:Memory) WHERE m.chain_id IN $chain_ids
WITH m ORDER BY m.id
SET m += {}
RETURN m {.*} AS memory, [l IN labels(m) WHERE NOT l IN ['Memory', 'Ruled']][0] AS label
