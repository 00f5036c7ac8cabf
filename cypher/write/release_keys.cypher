// Takes identity and head keys from versions that give them up, so that others can take them.
// mode: write
// params: ids
// rows: none
UNWIND $ids AS id
MATCH (m:Memory {id: id})
REMOVE m.dedupe_key, m.section_key, m.head_key
