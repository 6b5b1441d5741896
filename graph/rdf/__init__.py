"""The graph as RDF: its terms, its named graphs as lines of N-Quads, its files and their shapes."""
