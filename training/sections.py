"""The weights by which sections state relations, fitted to full texts that readers annotated.

``python -m training.sections GOLD PAPERS… [--write]`` reads papers, prints statements, precision
and recall, cross-validated by paper, and writes weights to ``extract/sections/trust.toml``.

GOLD has a paper a line: ``{"paper": title, "relations": [{"type", "entity", "aliases": [names],
"optional": true, "also_right": [types]}]}``. Optional relations are right, and not asked for.
"""

import json
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from stemma.extract import Extractor, formats
from stemma.extract.sections.features import Collected, features
from stemma.extract.sections.result_table import TableRole
from stemma.extract.sections.trust import BASE, LEAST, TABLE, Trust
from stemma.schema import LINEAGE_RELATIONS, FoundRelation, Paper, RelationType

_PARTS = 6
_STRENGTH, _ROLES_STRONGER = 0.06, 5.0
"""Of the weights that are allowed: of roles in tables, which are rare, more."""
_FEWEST = 1e-9
_STATED_FROM = {
    RelationType.INTRODUCES: 0.5,
    RelationType.BUILDS_ON: 0.64,
    RelationType.IMPROVES_ON: 0.66,
    RelationType.COMPARES_WITH: 0.52,
    RelationType.USES: 0.56,
    RelationType.RUNS_ON: 0.54,
    RelationType.EVALUATED_ON: 0.5,
}
_NOT_IN_KEY = re.compile(r"[^a-z0-9+*]+")
_ASIDE = re.compile(r"\(.*?\)|['’]s\b")
_HEADING = """# How sure sections make a relation to an entity: the weights of the features that
# extract/sections/features.py counts, of a logistic regression that training/sections.py fitted to
# annotated full texts. "least" is the confidence from which a relation is stated; a relation that
# is not listed is not read from sections.
"""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A relation of the gold: the types that are right, and the keys of the entity's names."""

    types: tuple[RelationType, ...]
    names: frozenset[str]
    optional: bool


@dataclass(slots=True)
class ReadPaper:
    """A paper that was read, with what its abstract states and what the gold wants."""

    entities: list[Collected]
    stated: list[tuple[FoundRelation, frozenset[str]]]
    wanted: list[Wanted]
    features: list[dict[RelationType, dict[str, float]]] = field(init=False)

    def __post_init__(self) -> None:
        """Count the features once."""
        self.features = features(self.entities, _STATED_FROM)

    def right(self, relation: RelationType, names: frozenset[str]) -> list[int]:
        """Return the numbers of the wanted relations that a statement meets."""
        return [
            number
            for number, each in enumerate(self.wanted)
            if relation in each.types and not each.names.isdisjoint(names)
        ]


def key(name: str) -> str:
    """Return the key that all spellings of a name share."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    text = _NOT_IN_KEY.sub("", _ASIDE.sub("", plain))
    return text[:-1] if len(text) > 4 and text.endswith("s") else text


def _names(entity: Collected) -> frozenset[str]:
    forms = {form for reading in entity.readings for form in reading.forms}
    mentions = {mention.text for mention in entity.entity.mentions}
    return frozenset(map(key, {entity.entity.name, *forms, *mentions}))


def read_papers(gold: Path, papers: Iterable[Paper]) -> Iterator[ReadPaper]:
    """Yield the papers that the gold has, of several texts of one that with the most entities."""
    wanted = {}
    for line in gold.read_text("utf-8").splitlines():
        record = json.loads(line)
        wanted[key(record["paper"])] = [
            Wanted(
                tuple(map(RelationType, (relation["type"], *relation.get("also_right", ())))),
                frozenset(map(key, (relation["entity"], *relation.get("aliases", ())))),
                bool(relation.get("optional")),
            )
            for relation in record["relations"]
        ]
    extractor, found = Extractor(), dict[str, ReadPaper]()
    for paper in papers:
        title = key(paper.title)
        if title not in wanted or paper.full_text is None:
            continue
        (abstract,) = extractor.find([(paper.title, paper.abstract)])
        assert not isinstance(abstract, str), abstract
        reader, _ = extractor.section_reader(paper, abstract)
        forms = {
            each.name: {each.name, *(one.text for one in each.mentions)} for each in abstract[0]
        }
        stated = [(each, frozenset(map(key, forms[each.entity]))) for each in abstract[1]]
        read = ReadPaper(reader.collected(), stated, wanted[title])
        if title not in found or len(found[title].entities) < len(read.entities):
            found[title] = read
    return iter(found.values())


def fit(papers: Sequence[ReadPaper]) -> Trust:
    """Return the weights that fit papers best."""
    return Trust({relation: _weights(papers, relation) for relation in _STATED_FROM})


def _weights(papers: Sequence[ReadPaper], relation: RelationType) -> dict[str, float]:
    rows = [each[relation] for paper in papers for each in paper.features]
    truth = [
        bool(paper.right(relation, _names(entity))) for paper in papers for entity in paper.entities
    ]
    names = sorted({name for row in rows for name in row})
    values = np.array([[row.get(name, 0.0) for name in names] for row in rows])
    spread = values.std(0)
    scale = np.sqrt(np.maximum(spread, _FEWEST) * np.maximum(np.abs(values).max(0), _FEWEST))
    scale[spread < _FEWEST] = 1.0
    if relation in (RelationType.COMPARES_WITH, RelationType.EVALUATED_ON):
        scale[[name in tuple(TableRole) for name in names]] /= _ROLES_STRONGER
    model = LogisticRegression(C=_STRENGTH, max_iter=500).fit(values / scale, truth)
    weights = dict(zip(names, (model.coef_[0] / scale).tolist(), strict=True))
    kept = {name: round(weight, 3) for name, weight in weights.items() if abs(weight) >= 5e-4}
    return {LEAST: _STATED_FROM[relation], BASE: round(float(model.intercept_[0]), 3), **kept}


def statements(paper: ReadPaper, trust: Trust) -> Iterator[tuple[RelationType, float, list[int]]]:
    """Yield the statements of a paper: relation, confidence, and the gold that they meet."""
    of_abstract = set()
    for said, names in paper.stated:
        of_abstract.add((said.type, said.entity))
        if said.type is not RelationType.MENTIONS:
            yield said.type, said.confidence, paper.right(said.type, names)
    for entity, counted in zip(paper.entities, paper.features, strict=True):
        for relation, sure in entity.stated(trust, counted).items():
            if (relation, entity.entity.name) not in of_abstract:
                yield relation, sure, paper.right(relation, _names(entity))


def main(gold: Path, paths: Sequence[Path], write: bool) -> None:
    """Fit, print what was measured, and write the weights if asked to."""
    documents, problems = formats.find(paths)
    for problem in problems:
        print(problem)
    read = (each for document in documents for each in formats.read_document(document))
    papers = list(read_papers(gold, (each for each in read if isinstance(each, Paper))))
    parts = [
        [each for n, each in enumerate(papers) if n % _PARTS == part] for part in range(_PARTS)
    ]
    validated = [
        (paper, found)
        for part, own in enumerate(parts)
        if (others := [each for n, some in enumerate(parts) if n != part for each in some])
        for trust in [fit(others)]
        for paper in own
        for found in [list(statements(paper, trust))]
    ]
    trust = fit(papers)
    print(f"{len(papers)} papers, cross-validated by paper")
    _report(validated)
    print("the weights of all papers on the same papers")
    _report([(paper, list(statements(paper, trust))) for paper in papers])
    if write:
        TABLE.write_text(_HEADING + "\n".join(_tables(trust.table)), "utf-8")


def _report(found: Sequence[tuple[ReadPaper, list[tuple[RelationType, float, list[int]]]]]) -> None:
    rows = {"all": set(_STATED_FROM), "lineage": set(LINEAGE_RELATIONS)}
    rows |= {relation.value: {relation} for relation in _STATED_FROM}
    errors = list[tuple[float, bool]]()
    for name, types in rows.items():
        said = [
            (sure, bool(met)) for _, some in found for type_, sure, met in some if type_ in types
        ]
        met = asked = 0
        for paper, some in found:
            numbers = {number for *_, met_by in some for number in met_by}
            required = {
                n
                for n, each in enumerate(paper.wanted)
                if each.types[0] in types and not each.optional
            }
            met, asked = met + len(numbers & required), asked + len(required)
        precision = sum(right for _, right in said) / max(1, len(said))
        print(f"{name:14}{len(said):6}{precision:7.3f}{met / max(1, asked):7.3f}")
        errors = errors or said
    print(f"calibration error {_calibration_error(errors):.3f}")


def _calibration_error(said: Sequence[tuple[float, bool]]) -> float:
    bins: dict[int, list[tuple[float, bool]]] = {}
    for each in said:
        bins.setdefault(min(9, int(each[0] * 10)), []).append(each)
    apart = (abs(sum(sure - right for sure, right in some)) for some in bins.values())
    return sum(apart) / max(1, len(said))


def _tables(table: Mapping[RelationType, Mapping[str, float]]) -> Iterator[str]:
    for relation, weights in table.items():
        yield f"\n[{relation}]"
        yield from (
            f"{json.dumps(name) if ' ' in name else name} = {n}" for name, n in weights.items()
        )
    yield ""


if __name__ == "__main__":
    given = [Path(each) for each in sys.argv[1:] if not each.startswith("--")]
    main(given[0], given[1:], "--write" in sys.argv)
