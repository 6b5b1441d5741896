"""SPARQL over the graph: the protocol, and processes that answer it within limits."""
