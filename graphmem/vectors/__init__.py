"""Vectors: the index protocol (``index``), its engines (``edge``, ``server``), the embedders (``choose``).

Kept free of imports: the vector worker starts through this package and should start quickly.
"""
