// How many changes have no number yet.
// mode: read
// unscoped: a figure for the operator, told to admins only
// rows: one {waiting}
MATCH (c:Unnumbered)
RETURN count(c) AS waiting
