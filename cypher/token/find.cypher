// The token of a prefix.
// mode: read
// unscoped: asked before anybody is known; answers the hash to the authenticator alone
// params: prefix
// rows: at most one {hash, subject}
MATCH (t:Token {prefix: $prefix})
RETURN t.hash AS hash, t.subject AS subject
