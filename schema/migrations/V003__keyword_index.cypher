// kind: schema
// One whitespace index for every language: the tokens are ours (graphmem/memory/terms.py), and the
// scope tokens carry rules and filters into the same query (graphmem/access/lucene.py).
CREATE FULLTEXT INDEX memory_terms IF NOT EXISTS FOR (n:Memory) ON EACH [n.search_terms, n.search_scope]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: false}};
