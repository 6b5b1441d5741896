"""Linked data: every IRI of the graph leads to a page for people and to RDF for machines."""
