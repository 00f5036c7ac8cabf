// kind: schema
// What is filtered or ordered by, beyond the keys.
CREATE INDEX memory_chain_id IF NOT EXISTS FOR (n:Memory) ON (n.chain_id);
CREATE INDEX memory_created_at IF NOT EXISTS FOR (n:Memory) ON (n.created_at);
CREATE INDEX drawer_source_file IF NOT EXISTS FOR (n:Drawer) ON (n.source_file);
CREATE INDEX scope_path IF NOT EXISTS FOR (n:Scope) ON (n.path);
CREATE INDEX audit_memory_id IF NOT EXISTS FOR (n:AuditRecord) ON (n.memory_id);
CREATE INDEX audit_id IF NOT EXISTS FOR (n:AuditRecord) ON (n.id);
CREATE INDEX outbox_due_at IF NOT EXISTS FOR (n:OutboxEntry) ON (n.due_at);
CREATE INDEX idempotency_at IF NOT EXISTS FOR (n:IdempotencyRecord) ON (n.at);
CREATE INDEX idempotency_memory_id IF NOT EXISTS FOR (n:IdempotencyRecord) ON (n.memory_id);
CREATE INDEX path_declared IF NOT EXISTS FOR (n:Path) ON (n.declared);
