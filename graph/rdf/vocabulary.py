"""The terms of the stored RDF, as IRIs."""

from collections.abc import Mapping

from stemma.graph.selection import camel_case
from stemma.schema import EntityKind, RelationType
from stemma.schema.namespace import (
    BIBO,
    CITO,
    DCAT,
    DCTERMS,
    FABIO,
    OA,
    ONTOLOGY,
    PROV,
    RDF,
    RDF_TYPE,
    RDFS,
    SCHEMA_ORG,
    SKOS,
    VOID,
    XSD,
)

PREFIXES = {
    "stemma": ONTOLOGY,
    "rdf": RDF,
    "rdfs": RDFS,
    "skos": SKOS,
    "dcterms": DCTERMS,
    "schema": SCHEMA_ORG,
    "fabio": FABIO,
    "bibo": BIBO,
    "cito": CITO,
    "prov": PROV,
    "oa": OA,
    "void": VOID,
    "dcat": DCAT,
    "xsd": XSD,
}
"""How exports shorten IRIs."""


def shortened(iri: str, prefixes: Mapping[str, str] = PREFIXES) -> str:
    """Return an IRI with a prefix in place of its namespace, if there is one."""
    for name, namespace in prefixes.items():
        if iri.startswith(namespace) and iri != namespace:
            return f"{name}:{iri.removeprefix(namespace)}"
    return iri


TYPE = RDF_TYPE
SUBJECT, PREDICATE, OBJECT = RDF + "subject", RDF + "predicate", RDF + "object"
STATEMENT, REIFIES = RDF + "Statement", RDF + "reifies"
MEMBER = RDF + "_"
"""Followed by a number from 1: the order of several pieces of evidence, the strongest first."""

# Papers.
SCHOLARLY_ARTICLE, EXPRESSION = SCHEMA_ORG + "ScholarlyArticle", FABIO + "ResearchPaper"
NAME, ABSTRACT, PUBLISHED = (
    SCHEMA_ORG + "name",
    SCHEMA_ORG + "abstract",
    SCHEMA_ORG + "datePublished",
)
URL = SCHEMA_ORG + "url"
AUTHOR_COUNT, ORGANIZATION = ONTOLOGY + "authorCount", ONTOLOGY + "organization"
AUTHOR, PERSON = SCHEMA_ORG + "author", SCHEMA_ORG + "Person"
CREATOR, OTHER_NAME = SCHEMA_ORG + "creator", SCHEMA_ORG + "alternateName"
IDENTIFIER = SCHEMA_ORG + "identifier"
AFFILIATION, SAME_AS = SCHEMA_ORG + "affiliation", SCHEMA_ORG + "sameAs"
ORCID = "https://orcid.org/"
VENUE, DOI, ARXIV_ID = ONTOLOGY + "venue", BIBO + "doi", ONTOLOGY + "arxivId"
REFERENCE = ONTOLOGY + "reference"
SECTION, SECTION_CLASS = ONTOLOGY + "section", ONTOLOGY + "Section"
SECTION_KIND = ONTOLOGY + "sectionKind"
TEXT, CITATION = SCHEMA_ORG + "text", ONTOLOGY + "citation"
CHARACTERS = ONTOLOGY + "characters"
"""Of the full text that was read, of which sections keep the sentences that are evidence."""
MAIN_CONTRIBUTION = ONTOLOGY + "mainContribution"
DERIVES_FROM = ONTOLOGY + "derivesFrom"
"""A lineage edge, from child to parent."""
CHILD = ONTOLOGY + "child"
"""Of a statement that makes a lineage edge: its child. The parent is its object."""

# Where a paper was read.
SOURCE, FILE_ENTRY = DCTERMS + "source", ONTOLOGY + "FileEntry"
FILE, SHA256, POSITION = ONTOLOGY + "file", ONTOLOGY + "sha256", ONTOLOGY + "position"
STATED_DATE, ASSUMED_YEAR = ONTOLOGY + "statedDate", ONTOLOGY + "assumedYear"
EXTRACTED_BY = ONTOLOGY + "extractedBy"

# What was found in a paper.
NAMING = ONTOLOGY + "Naming"
KIND, DENOTES = ONTOLOGY + "kind", ONTOLOGY + "denotes"

# Statements and their evidence.
ABOUT, CONFIDENCE, ORIGIN = ONTOLOGY + "about", ONTOLOGY + "confidence", ONTOLOGY + "origin"
EVIDENCE, GENERATED_BY = ONTOLOGY + "evidence", PROV + "wasGeneratedBy"
COMPARISON = ONTOLOGY + "comparison"
"""From a statement to a resource that says how the comparison turned out."""
REJECTED, CONFIRMED = ONTOLOGY + "RejectedStatement", ONTOLOGY + "confirmed"
FOUND_PREDICATE = ONTOLOGY + "foundPredicate"
FOUND_CONFIDENCE = ONTOLOGY + "foundConfidence"
"""How sure the extractor was of what people confirmed."""
QUOTE, PLACE = OA + "TextQuoteSelector", OA + "TextPositionSelector"
EXACT, BEFORE, AFTER = OA + "exact", OA + "prefix", OA + "suffix"
START, END, FIELD = OA + "start", OA + "end", ONTOLOGY + "field"

# Entities.
LABEL, OTHER_LABEL, BROADER = SKOS + "prefLabel", SKOS + "altLabel", SKOS + "broader"
GENERAL = ONTOLOGY + "general"
SKOS_CONCEPT, IN_SCHEME = SKOS + "Concept", SKOS + "inScheme"
SCHEME = SKOS + "ConceptScheme"
REPLACED_BY = DCTERMS + "isReplacedBy"

# The data set, and what made it: runs, and people's decisions.
DATASET, DCAT_DATASET, URI_SPACE = VOID + "Dataset", DCAT + "Dataset", VOID + "uriSpace"
VOCABULARY, TITLE, DESCRIPTION = VOID + "vocabulary", DCTERMS + "title", DCTERMS + "description"
CLASS_PARTITION, CLASS, ENTITIES = VOID + "classPartition", VOID + "class", VOID + "entities"
PROPERTY_PARTITION, PROPERTY = VOID + "propertyPartition", VOID + "property"
TRIPLES = VOID + "triples"
ACTIVITY, FINGERPRINT = PROV + "Activity", ONTOLOGY + "fingerprint"
ASSOCIATED, SOFTWARE_AGENT = PROV + "wasAssociatedWith", PROV + "SoftwareAgent"
READABLE = RDFS + "label"
"""In English, for the programs that show labels."""
DECISION, DECIDED_BY = ONTOLOGY + "Decision", ONTOLOGY + "decision"
NUMBER, NOT_APPLIED = ONTOLOGY + "number", ONTOLOGY + "notApplied"

# Links between papers: which follow from lists of references, or from what they state and who
# introduced it.
CITES = CITO + "cites"
CITATIONS = {
    RelationType.BUILDS_ON: CITO + "extends",
    RelationType.IMPROVES_ON: CITO + "discusses",
    RelationType.COMPARES_WITH: CITO + "discusses",
    RelationType.USES: CITO + "usesMethodIn",
    RelationType.EVALUATED_ON: CITO + "usesDataFrom",
}
"""How a paper cites the one that introduced the entity of a statement with these relations."""

RELATIONS = {each: ONTOLOGY + camel_case(each.value.lower()) for each in RelationType}
KINDS = {kind: ONTOLOGY + kind.value.capitalize() for kind in EntityKind}
