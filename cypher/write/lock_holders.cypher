// The live memories that hold these identity keys, locked in id order.
// mode: write
// params: fact_keys, drawer_keys
// rows: zero or more {memory, label}
CALL () {
  UNWIND $fact_keys AS key
  MATCH (m:Fact {dedupe_key: key})
  RETURN m
  UNION
  UNWIND $drawer_keys AS key
  MATCH (m:Drawer {section_key: key})
  RETURN m
}
WITH m ORDER BY m.id
SET m += {}
RETURN m {.*} AS memory, [l IN labels(m) WHERE NOT l IN ['Memory', 'Ruled']][0] AS label
