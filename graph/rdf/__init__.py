"""The graph as RDF: terms, named graphs, files, shapes; `sqlite.rdf_projection` keeps a store's."""
