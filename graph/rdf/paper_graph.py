"""Paper graphs: a paper, what was found in it and what it states, as a named graph of RDF.

The IRI of the graph is the paper's own; what belongs to the paper hangs on it as fragments:
``#source-1``, ``#kv-cache`` (an entity as the paper names it), ``#uses-kv-cache`` (a statement)
and ``#abstract-510-702`` (a sentence). What people rejected, and what contradicts the catalogue, is
kept as a ``RejectedStatement``, which the graph does not make; what proved to be another relation
has the one that was found beside it.

The plain graph has the paper, its statements with their sentences, and its lineage. It leaves out
mere mentions, and how the paper was read: its files, the names in it, what was rejected, the
properties in `_DETAILS`, and types that follow from properties.
"""

import re
from collections.abc import Iterable, Sequence
from hashlib import sha256

from stemma.graph.linked_extraction import (
    LinkedExtraction,
    local_names,
    main_contribution,
    relations_by_child,
    statement_name,
)
from stemma.graph.rdf.vocabulary import KINDS, ORCID, RELATIONS, date, iri, term, text, typed
from stemma.schema import Evidence, FoundRelation, RelationType, Statement
from stemma.schema import comparison as comparisons
from stemma.schema.comparison import NUMBERS

_CONTEXT = 32
"""Characters before and after a quotation that distinguish it from others with the same wording."""
_PLAIN = re.compile(r"[A-Za-z0-9._-]+")
_DETAILS = {
    *("stemma:extractedBy", "stemma:reference", "stemma:about", "prov:wasGeneratedBy"),
    *("stemma:foundPredicate", "stemma:foundConfidence"),
    *("oa:prefix", "oa:suffix", "oa:start", "oa:end", "stemma:field"),
}
"""The IRI of a sentence tells its place as well."""


def lines(reading: LinkedExtraction, base: str, full: bool = True) -> list[str]:
    """Write the graph of a paper as lines of N-Quads, each once: the plain graph, or the `full`."""
    return list(dict.fromkeys(_PaperGraph(reading, base, full).lines()))


def run_iri(extractor: str, base: str) -> str:
    """Return the IRI of the run of an extractor, by its fingerprint."""
    name = extractor if _PLAIN.fullmatch(extractor) else sha256(extractor.encode()).hexdigest()[:16]
    return f"{base}run/{name}"


class _PaperGraph:
    def __init__(self, reading: LinkedExtraction, base: str, full: bool) -> None:
        self.reading, self.base, self.full = reading, base, full
        self.paper = reading.extraction.paper
        self.iri = base + self.paper.id
        self.me = iri(self.iri)
        self.run = iri(run_iri(reading.extraction.extractor, base))
        self.locals = local_names(entity.name for entity in reading.extraction.entities)
        self.statements: dict[tuple[RelationType, str], str] = {}
        """By relation and name, the statements that the claims make."""
        self.out: list[str] = []

    def lines(self) -> list[str]:
        self._paper()
        if self.full:
            self._authors()
            self._sources()
            self._sections()
            self._namings()
            self._rejected()
        for statement, claims in self.reading.with_claims():
            if self.full or statement.relation is not RelationType.MENTIONS:
                self._statement(statement, claims)
        self._lineage()
        return self.out

    def _add(self, subject: str, predicate: str, *values: str) -> None:
        if self.full or predicate not in _DETAILS:
            for value in values:
                self.out.append(f"{subject} {term(predicate)} {value} {self.me} .\n")

    def _add_text(self, subject: str, predicate: str, value: str | None) -> None:
        """Add a text, unless it is empty or unknown."""
        if value:
            self._add(subject, predicate, text(value))

    def _add_number(self, subject: str, predicate: str, value: int | None) -> None:
        if value is not None:
            self._add(subject, predicate, typed(value, "integer"))

    def _add_part(self, predicate: str, local: str, class_: str) -> str:
        """Add a part of the paper, and return its IRI."""
        me = self._part(local)
        self._add(self.me, predicate, me)
        self._add(me, "rdf:type", term(class_))
        return me

    def _part(self, local: str) -> str:
        return f"<{self.iri}#{local}>"

    def _entity(self, name: str) -> str:
        return iri(self.base + self.reading.ids[name])

    def _paper(self) -> None:
        paper, me = self.paper, self.me
        self._add(me, "rdf:type", term("schema:ScholarlyArticle"))
        if self.full:
            self._add(me, "rdf:type", term("fabio:ResearchPaper"))
        self._add(me, "schema:name", text(paper.title))
        self._add_text(me, "schema:abstract", paper.abstract)
        if paper.published:
            self._add(me, "schema:datePublished", date(paper.published))
        self._add_number(me, "stemma:authorCount", paper.author_count)
        self._add_text(me, "stemma:organization", paper.organization)
        self._add(me, "schema:url", *(typed(link, "anyURI") for link in paper.links))
        self._add_text(me, "stemma:venue", paper.venue)
        self._add_text(me, "bibo:doi", paper.doi)
        self._add_text(me, "stemma:arxivId", paper.arxiv_id)
        self._add(me, "stemma:reference", *(text(str(reference)) for reference in paper.references))
        self._add(me, "stemma:extractedBy", self.run)

    def _authors(self) -> None:
        for number, author in enumerate(self.paper.authors, start=1):
            me = self._add_part("schema:author", f"author-{number}", "schema:Person")
            self._add(me, "schema:name", text(author.name))
            if author.orcid:
                self._add(me, "schema:sameAs", iri(ORCID + author.orcid))
            self._add_text(me, "schema:identifier", author.id)
            self._add_text(me, "schema:affiliation", author.affiliation)

    def _sources(self) -> None:
        for number, source in enumerate(self.paper.sources, start=1):
            me = self._add_part("dcterms:source", f"source-{number}", "stemma:FileEntry")
            self._add(me, "stemma:file", text(source.file))
            self._add(me, "stemma:sha256", text(source.sha256))
            self._add_number(me, "stemma:position", source.position)
            if source.published is not None:
                self._add(me, "stemma:statedDate", text(source.published))
            self._add_number(me, "stemma:assumedYear", source.assumed_year)

    def _sections(self) -> None:
        if not (full_text := self.paper.full_text):
            return
        self._add_number(self.me, "stemma:characters", full_text.characters)
        for number, section in enumerate(full_text.sections, start=1):
            me = self._add_part("stemma:section", f"section-{number}", "stemma:Section")
            self._add(me, "stemma:sectionKind", text(section.kind.value))
            self._add(me, "schema:name", text(section.heading))
            self._add(me, "schema:text", text(section.text))
            for citation in section.citations:
                cited = f"{citation.start}-{citation.end} {citation.reference}"
                self._add(me, "stemma:citation", text(cited))

    def _namings(self) -> None:
        for entity in self.reading.extraction.entities:
            me = self._part(self.locals[entity.name])
            self._add(me, "rdf:type", term("stemma:Naming"))
            self._add(me, "schema:name", text(entity.name))
            self._add(me, "stemma:kind", term(KINDS[entity.kind]))
            self._add(me, "stemma:denotes", self._entity(entity.name))

    def _rejected(self) -> None:
        for found in self.reading.extraction.relations:
            if self.reading.judged(found) is None:
                name = statement_name(found.type, self.locals[found.entity])
                self._add(self._part(name), "rdf:type", term("stemma:RejectedStatement"))
                self._claim(name, found, [found])

    def _statement(self, statement: Statement, claims: Sequence[FoundRelation]) -> None:
        name = statement_name(statement.relation, self.locals[claims[0].entity])
        me, entity = self._part(name), iri(self.base + statement.entity)
        for claim in claims:
            self.statements[statement.relation, claim.entity] = me
        self._add(self.me, RELATIONS[statement.relation], entity)
        self._add(me, "rdf:type", term("rdf:Statement"))
        self._add(me, "rdf:subject", self.me)
        self._add(me, "rdf:object", entity)
        if statement.relation is not claims[0].type:
            self._add(me, "stemma:foundPredicate", term(RELATIONS[claims[0].type]))
        if statement.confirmed:
            self._add(me, "stemma:confirmed", typed("true", "boolean"))
            self._add(me, "stemma:foundConfidence", typed(claims[0].confidence, "double"))
        self._claim(name, statement, claims)

    def _claim(
        self, local: str, claim: Statement | FoundRelation, found: Iterable[FoundRelation]
    ) -> None:
        """Write what statements and rejected ones have alike; `found` are what makes them."""
        me = self._part(local)
        relation = claim.relation if isinstance(claim, Statement) else claim.type
        self._add(me, "rdf:predicate", term(RELATIONS[relation]))
        self._add(me, "stemma:about", *(self._part(self.locals[made.entity]) for made in found))
        self._add(me, "stemma:confidence", typed(claim.confidence, "double"))
        self._add(me, "stemma:origin", text(claim.origin))
        self._add(me, "prov:wasGeneratedBy", self.run)
        if claim.comparison:
            comparison = self._part(f"{local}-comparison")
            self._add(me, "stemma:comparison", comparison)
            self._add(comparison, "rdf:type", term("stemma:Comparison"))
            # Each field of the model is a property of the same name.
            for name, value in comparisons.to_json(claim.comparison).items():
                literal = typed(value, "double") if name in NUMBERS else text(str(value))
                self._add(comparison, f"stemma:{name}", literal)
        for number, evidence in enumerate(claim.evidence, start=1):
            place = self._part(f"{evidence.field.value}-{evidence.start}-{evidence.end}")
            self._add(me, "stemma:evidence", place)
            if self.full and len(claim.evidence) > 1:
                self._add(me, f"rdf:_{number}", place)  # Their order, the strongest first.
            self._quotation(place, evidence)

    def _quotation(self, me: str, evidence: Evidence) -> None:
        """Write a sentence as both selectors of Web Annotation: by its text, by its offsets."""
        whole = self.paper.text(evidence.field)
        # Of sections only what is quoted is kept, and not what stands before and after it.
        context = 0 if evidence.section else _CONTEXT
        if self.full:
            self._add(me, "rdf:type", term("oa:TextQuoteSelector"), term("oa:TextPositionSelector"))
        self._add(me, "oa:exact", text(evidence.text))
        self._add_text(me, "oa:prefix", whole[max(0, evidence.start - context) : evidence.start])
        self._add_text(me, "oa:suffix", whole[evidence.end : evidence.end + context])
        self._add_number(me, "oa:start", evidence.start)
        self._add_number(me, "oa:end", evidence.end)
        self._add(me, "stemma:field", text(evidence.field.value))

    def _lineage(self) -> None:
        extraction, ids = self.reading.decided, self.reading.ids
        if main := main_contribution(extraction):
            self._add(self.me, "stemma:mainContribution", self._entity(main.name))
        for relation, child in relations_by_child(extraction, ids):
            me = iri(self.base + child)
            self._add(self.statements[relation.type, relation.entity], "stemma:child", me)
            self._add(me, "stemma:derivesFrom", self._entity(relation.entity))
