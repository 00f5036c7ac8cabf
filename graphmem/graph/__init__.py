"""Neo4j: the one door (``client``), query files, migrations, and one store a subject."""
