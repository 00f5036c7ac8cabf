// A page of the paths that were declared or have a display name, in their order.
// mode: read
// params: after, limit
// rows: at most limit {path, declared, display_name, tags}
MATCH (p:Path)
USING INDEX SEEK p:Path(path)
WHERE p.path > $after AND (p.declared OR p.display_name IS NOT NULL)
  AND /*access:p*/ false
RETURN p.path AS path, p.declared AS declared, p.display_name AS display_name, p.tags AS tags
ORDER BY p.path LIMIT $limit
