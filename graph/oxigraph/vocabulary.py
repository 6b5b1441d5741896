"""The terms of the stored RDF, as IRIs."""

from stemma.schema import EntityKind, RelationType
from stemma.schema.namespace import (
    CATALOGUE_SCHEME,
    DATA,
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
    XSD,
)

VOID = "http://rdfs.org/ns/void#"

PREFIXES = {
    "stemma": ONTOLOGY,
    "rdf": RDF,
    "rdfs": RDFS,
    "skos": SKOS,
    "dcterms": DCTERMS,
    "schema": SCHEMA_ORG,
    "fabio": FABIO,
    "prov": PROV,
    "oa": OA,
    "void": VOID,
    "xsd": XSD,
}
"""How exports shorten IRIs."""

TYPE = RDF_TYPE
SUBJECT, PREDICATE, OBJECT = RDF + "subject", RDF + "predicate", RDF + "object"
STATEMENT = RDF + "Statement"
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
MAIN_CONTRIBUTION = ONTOLOGY + "mainContribution"
DERIVES_FROM = ONTOLOGY + "derivesFrom"
"""A lineage edge, from child to parent."""

# Where a paper was read.
SOURCE = DCTERMS + "source"
FILE, SHA256, POSITION = ONTOLOGY + "file", ONTOLOGY + "sha256", ONTOLOGY + "position"
STATED_DATE, ASSUMED_YEAR = ONTOLOGY + "statedDate", ONTOLOGY + "assumedYear"
EXTRACTED_BY = ONTOLOGY + "extractedBy"

# What was found in a paper.
KIND, CONCEPT = ONTOLOGY + "kind", ONTOLOGY + "concept"
DENOTES, MENTION = ONTOLOGY + "denotes", ONTOLOGY + "mention"

# Statements and their evidence.
ABOUT, CONFIDENCE, ORIGIN = ONTOLOGY + "about", ONTOLOGY + "confidence", ONTOLOGY + "origin"
EVIDENCE, GENERATED_BY = ONTOLOGY + "evidence", PROV + "wasGeneratedBy"
COMPARISON = ONTOLOGY + "comparison"
"""From a statement to a resource that says how the comparison turned out."""
REJECTED, CONFIRMED = ONTOLOGY + "RejectedStatement", ONTOLOGY + "confirmed"
FOUND_CONFIDENCE = ONTOLOGY + "foundConfidence"
"""How sure the extractor was of what people confirmed."""
QUOTE, PLACE = OA + "TextQuoteSelector", OA + "TextPositionSelector"
EXACT, START, END, FIELD = OA + "exact", OA + "start", OA + "end", ONTOLOGY + "field"

# Entities.
LABEL, OTHER_LABEL, BROADER = SKOS + "prefLabel", SKOS + "altLabel", SKOS + "broader"
SKOS_CONCEPT, IN_SCHEME = SKOS + "Concept", SKOS + "inScheme"
REPLACED_BY = DCTERMS + "isReplacedBy"

# The data set and the runs that made it.
DATASET, URI_SPACE = VOID + "Dataset", VOID + "uriSpace"
VOCABULARY, TITLE = VOID + "vocabulary", DCTERMS + "title"
ACTIVITY, FINGERPRINT = PROV + "Activity", ONTOLOGY + "fingerprint"

RELATIONS = {
    RelationType.INTRODUCES: ONTOLOGY + "introduces",
    RelationType.BUILDS_ON: ONTOLOGY + "buildsOn",
    RelationType.IMPROVES_ON: ONTOLOGY + "improvesOn",
    RelationType.COMPARES_WITH: ONTOLOGY + "comparesWith",
    RelationType.USES: ONTOLOGY + "uses",
    RelationType.RUNS_ON: ONTOLOGY + "runsOn",
    RelationType.EVALUATED_ON: ONTOLOGY + "evaluatedOn",
    RelationType.MENTIONS: ONTOLOGY + "mentions",
}
KINDS = {kind: ONTOLOGY + kind.value.capitalize() for kind in EntityKind}

__all__ = ["CATALOGUE_SCHEME", "DATA", "KINDS", "ONTOLOGY", "PREFIXES", "RELATIONS", "XSD"]
