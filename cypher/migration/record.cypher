// Records a migration as applied; a second record of the same one violates the uniqueness of the key.
// mode: write
// params: key, name, checksum, version
// rows: none
CREATE (m:Meta {key: $key})
SET m.name = $name, m.checksum = $checksum, m.version = $version, m.applied_at = timestamp() * 1000
