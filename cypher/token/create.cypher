// Keeps a token by its prefix and the hash of its secret.
// mode: write
// params: prefix, hash, subject, at
// rows: none
CREATE (t:Token {prefix: $prefix, hash: $hash, subject: $subject, created_at: $at})
