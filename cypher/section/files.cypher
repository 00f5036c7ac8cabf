// The files of which imports left live sections in a wing; of one owner.
// mode: read
// params: inside, owner
// rows: zero or more {file}, by file
MATCH (s:Scope)
USING INDEX SEEK s:Scope(path)
WHERE s.path STARTS WITH $inside
  AND /*access:s*/ false
MATCH (s)<-[:IN|IN_DATED]-(m:Drawer)
WHERE m.owner = $owner AND size(m.section) > 0
RETURN DISTINCT m.source_file AS file
ORDER BY file
