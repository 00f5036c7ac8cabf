// kind: schema
// Failures are few among much that waits; every look at the state of the service asks for them.
CREATE INDEX outbox_dead IF NOT EXISTS FOR (n:OutboxEntry) ON (n.dead);
