// The live sections that imports left of these files in a wing, with their links; of one owner, in no order.
// mode: read
// params: wing, files, owner
// rows: zero or more {section, links}
UNWIND $files AS file
MATCH (m:Drawer {source_file: file})
WHERE m.live AND m.owner = $owner AND size(m.section) > 0
  AND $wing IN m.ancestors
  AND /*access:m*/ false
RETURN m {.id, .source_file, .path, .section, .title, .content_hash, .line_start, .line_end, .names, .keywords}
         AS section,
       COLLECT { MATCH (m)-[r:LINKS_TO]->(:LinkTarget) RETURN [r.text, r.target] } AS links
