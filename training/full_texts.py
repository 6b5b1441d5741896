"""Whole papers to learn from: the gold of full texts, and what a reader says of single sentences.

The gold names the relations of a paper and not the sentences that state them. A reader went through
sentences that name an entity of the gold; `sections.jsonl` holds what was said, by a hash of the
sentence, so that it fits however a section is cut into windows::

    {"title": "…", "judged": [["USES", "Adam", "5d41402abc4b", true], …]}

A relation that the gold lacks is not stated anywhere in the paper. One that it has is stated, or is
not, where the reader said so; elsewhere it is not known.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from stemma.extract.encoder.paper_words import bare_form
from stemma.extract.evaluation.gold import annotation_key
from stemma.extract.recognition import sentences_of
from stemma.extract.sections.section_reader import SectionReader
from stemma.extract.sections.trust import Trust
from stemma.schema import Paper, RelationType
from training.papers import DATA, Papers, read_papers, recognised
from training.standoff import records

JUDGED = DATA / "sections.jsonl"
_PLACEHOLDER = re.compile(r"CW\d+")
_NOT_HASHED = re.compile("[*∗#À-ÖØ-ÞĀ-žƀ-ɏà-öø-ÿΆ-ΐΪ-ΰϊ-ώḀ-ỿ]")
"""Stars, # and letters with accents."""
Judgement = tuple[RelationType, str, str]
"""A relation, the name of its entity in the gold, and the hash of a sentence."""


@dataclass(frozen=True, slots=True)
class WholePaper:
    """A paper with its sections; `wanted` are the relations of the gold, each with the name of its
    entity, `judged` those whose sentence was judged -> whether it states them."""

    paper: Paper
    wanted: frozenset[tuple[RelationType, str]]
    judged: Mapping[Judgement, bool]


def whole_papers(source: Papers) -> list[WholePaper]:
    """Return the papers of the gold of full texts."""
    texts = read_papers([source.file("corpora/fulltext")])
    return read_gold(source.file("gold/dev-fulltext.jsonl"), texts)


def read_gold(gold: Path, papers: Iterable[Paper], judged: Path = JUDGED) -> list[WholePaper]:
    """Return the papers of a gold of full texts, of several versions of one the longest.

    Raises ValueError if a paper is missing.
    """
    texts: dict[str, Paper] = {}
    lengths: dict[str, int] = {}
    for paper in papers:
        key = annotation_key(paper.title)
        if paper.full_text and paper.full_text.characters > lengths.get(key, -1):
            texts[key], lengths[key] = paper, paper.full_text.characters
    said = {
        annotation_key(record["title"]): {
            (RelationType(relation), entity, sentence): stated
            for relation, entity, sentence, stated in record["judged"]
        }
        for record in records(judged)
    }
    found = []
    for record in records(gold):
        key = annotation_key(record["paper"])
        if key not in texts:
            raise ValueError(f"{gold}: no full text has the title {record['paper']!r}")
        wanted = ((RelationType(each["type"]), each["entity"]) for each in record["relations"])
        found.append(WholePaper(texts[key], frozenset(wanted), said.get(key, {})))
    return found


def sentence_hash(text: str) -> str:
    """Return a hash of a sentence that does not depend on blanks, case and citations."""
    plain = bare_form(_NOT_HASHED.sub("", _PLACEHOLDER.sub("", text)))
    return blake2b(plain.encode(), digest_size=6).hexdigest()


def misfits(papers: Iterable[WholePaper]) -> Iterator[tuple[str, Judgement]]:
    """Yield the judgements, each with the title of its paper, of a relation that the gold does not
    have, or of a sentence that no window of the paper's sections has."""
    for whole in papers:
        reader = SectionReader(whole.paper, ((), ()), Trust.read(), {})
        known = {
            sentence_hash(doc.text[each.start : each.end])
            for window in reader.windows()
            for doc in [recognised(Paper("window", whole.paper.title, window.text))]
            for each in sentences_of(doc)
        }
        for judgement in whole.judged:
            relation, entity, sentence = judgement
            if (relation, entity) not in whole.wanted or sentence not in known:
                yield whole.paper.title, judgement
