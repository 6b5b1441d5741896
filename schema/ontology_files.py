"""The files of the vocabulary: the ontology in OWL 2, and its shapes in SHACL."""

from pathlib import Path

ONTOLOGY_FILE = Path(__file__).with_name("ontology.ttl")
SHAPES_FILE = Path(__file__).with_name("shapes.ttl")
