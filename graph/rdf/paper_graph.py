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
from hashlib import sha256

from stemma.graph.linked_extraction import (
    LinkedExtraction,
    local_names,
    main_contribution,
    relations_by_child,
    statement_name,
)
from stemma.graph.rdf import vocabulary as v
from stemma.graph.rdf.graphs import date, iri, text, typed
from stemma.schema import Evidence, FoundEntity, FoundRelation, RelationType
from stemma.schema import comparison as comparisons
from stemma.schema.comparison import NUMBERS
from stemma.schema.namespace import ONTOLOGY

_CONTEXT = 32
"""Characters before and after a quotation that distinguish it from others with the same wording."""
_PLAIN = re.compile(r"[A-Za-z0-9._-]+")
_COMPARISON = ONTOLOGY + "Comparison"
"""The class; each field of the model is a property of the same name."""
_DETAILS = {
    *(v.EXTRACTED_BY, v.REFERENCE, v.ABOUT, v.GENERATED_BY, v.FOUND_PREDICATE, v.FOUND_CONFIDENCE),
    *(v.BEFORE, v.AFTER, v.START, v.END, v.FIELD),
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
        self.run = iri(run_iri(reading.extractor, base))
        self.locals = local_names(entity.name for entity in reading.extraction.entities)
        self.out: list[str] = []

    def lines(self) -> list[str]:
        self._paper()
        if self.full:
            self._authors()
            self._sources()
            self._sections()
            for entity in self.reading.extraction.entities:
                self._found(entity)
        for relation in self.reading.extraction.relations:
            self._statement(relation)
        self._lineage()
        return self.out

    def _add(self, subject: str, predicate: str, value: str) -> None:
        if self.full or predicate not in _DETAILS:
            self.out.append(f"{subject} <{predicate}> {value} {self.me} .\n")

    def _part(self, local: str) -> str:
        return f"<{self.iri}#{local}>"

    def _entity(self, name: str) -> str:
        return iri(self.base + self.reading.ids[name])

    def _paper(self) -> None:
        paper = self.paper
        self._add(self.me, v.TYPE, iri(v.SCHOLARLY_ARTICLE))
        if self.full:
            self._add(self.me, v.TYPE, iri(v.EXPRESSION))
        self._add(self.me, v.NAME, text(paper.title))
        if paper.abstract:
            self._add(self.me, v.ABSTRACT, text(paper.abstract))
        if paper.published:
            self._add(self.me, v.PUBLISHED, date(paper.published))
        if paper.author_count is not None:
            self._add(self.me, v.AUTHOR_COUNT, typed(paper.author_count, "integer"))
        if paper.organization:
            self._add(self.me, v.ORGANIZATION, text(paper.organization))
        for link in paper.links:
            self._add(self.me, v.URL, typed(link, "anyURI"))
        for term, value_ in (
            (v.VENUE, paper.venue),
            (v.DOI, paper.doi),
            (v.ARXIV_ID, paper.arxiv_id),
        ):
            if value_:
                self._add(self.me, term, text(value_))
        for reference in paper.references:
            self._add(self.me, v.REFERENCE, text(str(reference)))
        self._add(self.me, v.EXTRACTED_BY, self.run)

    def _authors(self) -> None:
        for number, author in enumerate(self.paper.authors, start=1):
            me = self._part(f"author-{number}")
            self._add(self.me, v.AUTHOR, me)
            self._add(me, v.TYPE, iri(v.PERSON))
            self._add(me, v.NAME, text(author.name))
            if author.orcid:
                self._add(me, v.SAME_AS, iri(v.ORCID + author.orcid))
            if author.id:
                self._add(me, v.IDENTIFIER, text(author.id))
            if author.affiliation:
                self._add(me, v.AFFILIATION, text(author.affiliation))

    def _sources(self) -> None:
        for number, source in enumerate(self.paper.sources, start=1):
            me = self._part(f"source-{number}")
            self._add(self.me, v.SOURCE, me)
            self._add(me, v.TYPE, iri(v.FILE_ENTRY))
            self._add(me, v.FILE, text(source.file))
            self._add(me, v.SHA256, text(source.sha256))
            self._add(me, v.POSITION, typed(source.position, "integer"))
            if source.published is not None:
                self._add(me, v.STATED_DATE, text(source.published))
            if source.assumed_year is not None:
                self._add(me, v.ASSUMED_YEAR, typed(source.assumed_year, "integer"))

    def _sections(self) -> None:
        full_text = self.paper.full_text
        if not full_text:
            return
        self._add(self.me, v.CHARACTERS, typed(full_text.characters, "integer"))
        for number, section in enumerate(full_text.sections, start=1):
            me = self._part(f"section-{number}")
            self._add(self.me, v.SECTION, me)
            self._add(me, v.TYPE, iri(v.SECTION_CLASS))
            self._add(me, v.SECTION_KIND, text(section.kind.value))
            self._add(me, v.NAME, text(section.heading))
            self._add(me, v.TEXT, text(section.text))
            for each in section.citations:
                cited = f"{each.start}-{each.end} {each.reference}"
                self._add(me, v.CITATION, text(cited))

    def _found(self, entity: FoundEntity) -> None:
        me = self._part(self.locals[entity.name])
        self._add(me, v.TYPE, iri(v.NAMING))
        self._add(me, v.NAME, text(entity.name))
        self._add(me, v.KIND, iri(v.KINDS[entity.kind]))
        self._add(me, v.DENOTES, self._entity(entity.name))

    def _statement(self, relation: FoundRelation) -> None:
        local = self.locals[relation.entity]
        verdict, confidence = self.reading.verdict(relation), typed(relation.confidence, "double")
        judged = self.reading.judged(relation)
        if not self.full and (judged is None or judged.type is RelationType.MENTIONS):
            return
        type_ = judged.type if judged else relation.type
        me = self._part(statement_name(type_, local))
        term, entity = v.RELATIONS[type_], self._entity(relation.entity)
        if judged is None:
            self._add(me, v.TYPE, iri(v.REJECTED))
        else:
            self._add(self.me, term, entity)
            self._add(me, v.TYPE, iri(v.STATEMENT))
            self._add(me, v.SUBJECT, self.me)
            self._add(me, v.OBJECT, entity)
        if type_ is not relation.type:
            self._add(me, v.FOUND_PREDICATE, iri(v.RELATIONS[relation.type]))
        if verdict is True:
            self._add(me, v.CONFIRMED, typed("true", "boolean"))
            self._add(me, v.FOUND_CONFIDENCE, confidence)
            confidence = typed(1.0, "double")
        self._add(me, v.PREDICATE, iri(term))
        self._add(me, v.ABOUT, self._part(local))
        self._add(me, v.CONFIDENCE, confidence)
        self._add(me, v.ORIGIN, text(relation.origin))
        self._add(me, v.GENERATED_BY, self.run)
        if relation.comparison:
            comparison = self._part(f"{statement_name(type_, local)}-comparison")
            self._add(me, v.COMPARISON, comparison)
            self._add(comparison, v.TYPE, iri(_COMPARISON))
            for name, value in comparisons.to_json(relation.comparison).items():
                literal = typed(value, "double") if name in NUMBERS else text(str(value))
                self._add(comparison, ONTOLOGY + name, literal)
        for number, evidence in enumerate(relation.evidence, start=1):
            place = self._part(f"{evidence.field.value}-{evidence.start}-{evidence.end}")
            self._add(me, v.EVIDENCE, place)
            if self.full and len(relation.evidence) > 1:
                self._add(me, f"{v.MEMBER}{number}", place)
            self._quotation(place, evidence)

    def _quotation(self, me: str, evidence: Evidence) -> None:
        """Write a sentence as both selectors of Web Annotation: by its text, by its offsets."""
        whole = self.paper.text(evidence.field)
        # Of sections only what is quoted is kept, and not what stands before and after it.
        context = 0 if evidence.section else _CONTEXT
        before = whole[max(0, evidence.start - context) : evidence.start]
        after = whole[evidence.end : evidence.end + context]
        if self.full:
            self._add(me, v.TYPE, iri(v.QUOTE))
            self._add(me, v.TYPE, iri(v.PLACE))
        self._add(me, v.EXACT, text(evidence.text))
        if before:
            self._add(me, v.BEFORE, text(before))
        if after:
            self._add(me, v.AFTER, text(after))
        self._add(me, v.START, typed(evidence.start, "integer"))
        self._add(me, v.END, typed(evidence.end, "integer"))
        self._add(me, v.FIELD, text(evidence.field.value))

    def _lineage(self) -> None:
        extraction, ids = self.reading.decided, self.reading.ids
        main = main_contribution(extraction)
        if main:
            self._add(self.me, v.MAIN_CONTRIBUTION, self._entity(main.name))
        for relation, child in relations_by_child(extraction, ids):
            statement = statement_name(relation.type, self.locals[relation.entity])
            self._add(self._part(statement), v.CHILD, iri(self.base + child))
            self._add(iri(self.base + child), v.DERIVES_FROM, self._entity(relation.entity))
