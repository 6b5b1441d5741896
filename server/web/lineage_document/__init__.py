"""A whole lineage as one JSON document, however large."""
