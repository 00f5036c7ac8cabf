"""The managed Neo4j: jars, JVM and supervision, for machines on which nothing is installed.

Knows neither what is stored nor who asks; only ``bootstrap`` and ``cli`` use it.
"""
