// The settings that the store remembers under these keys.
// mode: read
// unscoped: settings of the store, no caller sees them
// params: keys
// rows: zero or more {key, value}
MATCH (m:Meta)
WHERE m.key IN $keys
RETURN m.key AS key, m.value AS value
