"""The namespaces of Stemma's RDF, and the files of its vocabulary."""

from pathlib import Path

ONTOLOGY = "https://w3id.org/stemma/ontology#"
"""Stemma's own terms."""
DATA = "https://w3id.org/stemma/id/"
"""The default base of data: an IRI is a base followed by an id."""
CATALOGUE_SCHEME = "https://w3id.org/stemma/catalogue"
"""The SKOS concept scheme of the catalogue."""
SOFTWARE = "https://w3id.org/stemma/software"
"""Stemma itself, as the agent of its runs."""

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDF_TYPE = RDF + "type"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
DCTERMS = "http://purl.org/dc/terms/"
SCHEMA_ORG = "https://schema.org/"
BIBO = "http://purl.org/ontology/bibo/"
FABIO = "http://purl.org/spar/fabio/"
CITO = "http://purl.org/spar/cito/"
PROV = "http://www.w3.org/ns/prov#"
OA = "http://www.w3.org/ns/oa#"
VOID = "http://rdfs.org/ns/void#"
DCAT = "http://www.w3.org/ns/dcat#"
OWL = "http://www.w3.org/2002/07/owl#"
XSD = "http://www.w3.org/2001/XMLSchema#"

ONTOLOGY_FILE = Path(__file__).with_name("ontology.ttl")
"""The ontology, in OWL 2."""
SHAPES_FILE = Path(__file__).with_name("shapes.ttl")
"""Its shapes, in SHACL."""
