// kind: schema
// Every key that keeps two of a thing apart. Community has uniqueness constraints only, so what must
// exist and of which type is kept by the one writer of each label and checked by `graphmem doctor`.
CREATE CONSTRAINT memory_id IF NOT EXISTS FOR (n:Memory) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT memory_head_key IF NOT EXISTS FOR (n:Memory) REQUIRE n.head_key IS UNIQUE;
CREATE CONSTRAINT scope_key IF NOT EXISTS FOR (n:Scope) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT tombstone_memory_id IF NOT EXISTS FOR (n:Tombstone) REQUIRE n.memory_id IS UNIQUE;
CREATE CONSTRAINT fact_dedupe_key IF NOT EXISTS FOR (n:Fact) REQUIRE n.dedupe_key IS UNIQUE;
CREATE CONSTRAINT fact_pin_key IF NOT EXISTS FOR (n:Fact) REQUIRE n.pin_key IS UNIQUE;
CREATE CONSTRAINT drawer_section_key IF NOT EXISTS FOR (n:Drawer) REQUIRE n.section_key IS UNIQUE;
CREATE CONSTRAINT procedure_name_key IF NOT EXISTS FOR (n:Procedure) REQUIRE n.name_key IS UNIQUE;
CREATE CONSTRAINT synaptic_node_key IF NOT EXISTS FOR (n:SynapticNode) REQUIRE n.node_key IS UNIQUE;
CREATE CONSTRAINT session_key IF NOT EXISTS FOR (n:Session) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT message_turn_key IF NOT EXISTS FOR (n:Message) REQUIRE n.turn_key IS UNIQUE;
CREATE CONSTRAINT path_path IF NOT EXISTS FOR (n:Path) REQUIRE n.path IS UNIQUE;
CREATE CONSTRAINT entity_key IF NOT EXISTS FOR (n:Entity) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT link_target_key IF NOT EXISTS FOR (n:LinkTarget) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT rule_key IF NOT EXISTS FOR (n:Rule) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT token_prefix IF NOT EXISTS FOR (n:Token) REQUIRE n.prefix IS UNIQUE;
CREATE CONSTRAINT outbox_memory_id IF NOT EXISTS FOR (n:OutboxEntry) REQUIRE n.memory_id IS UNIQUE;
CREATE CONSTRAINT idempotency_key IF NOT EXISTS FOR (n:IdempotencyRecord) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT change_seq IF NOT EXISTS FOR (n:Change) REQUIRE n.seq IS UNIQUE;
CREATE CONSTRAINT meta_key IF NOT EXISTS FOR (n:Meta) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT co_activated_pair_key IF NOT EXISTS FOR ()-[r:CO_ACTIVATED]-() REQUIRE r.pair_key IS UNIQUE;
CREATE CONSTRAINT relates_relation_key IF NOT EXISTS FOR ()-[r:RELATES]-() REQUIRE r.relation_key IS UNIQUE;
