// The visible paths at and below each root, down to so many levels, with the numbers of visible memories and of
// visible children. A path is visible when a visible memory is at or below it, or when it was declared and the
// rule holds on it.
// mode: read
// params: roots, depth, now
// rows: zero or more {root, path, display_name, labels, declared, tags, here, below, children}, by root and path
UNWIND $roots AS root
WITH root, CASE root WHEN '/' THEN '/' ELSE root + '/' END AS inside,
     CASE root WHEN '/' THEN 0 ELSE size(split(root, '/')) - 1 END AS top
CALL (root, inside) {
  MATCH (s:Scope)
  WHERE (s.path = root OR s.path STARTS WITH inside)
    AND /*access:s*/ false
  WITH s, COUNT { (s)<-[:IN]-() } AS undated, COUNT { (s)<-[:IN_DATED]-() } AS dated
  CALL (s, dated) {
    WITH s WHERE dated > 0
    MATCH (s)<-[:IN_DATED]-(m)
    WHERE /*shown:m*/ false
    RETURN count(m) AS valid
  }
  WITH s, undated + valid AS found
  WHERE found > 0
  RETURN s.ancestors AS line, s.path AS at, found
  UNION ALL
  MATCH (p:Path {declared: true})
  USING INDEX SEEK p:Path(declared)
  WHERE (p.path = root OR p.path STARTS WITH inside)
    AND /*access:p*/ false
  RETURN p.ancestors AS line, p.path AS at, 0 AS found
}
WITH root, top, line, at, sum(found) AS found
UNWIND range(top, CASE WHEN size(line) - 1 < top + $depth THEN size(line) - 1 ELSE top + $depth END) AS level
WITH root, line[level] AS path, sum(found) AS below,
     sum(CASE WHEN line[level] = at THEN found ELSE 0 END) AS here, count(DISTINCT line[level + 1]) AS children
MATCH (p:Path {path: path})
RETURN root, path, p.display_name AS display_name, [l IN labels(p) WHERE l <> 'Ruled'] AS labels,
       p.declared AS declared, p.tags AS tags, here, below, children
ORDER BY root, path
