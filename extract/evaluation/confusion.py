"""Confusion tables: what the annotator says, by row, and the extractor, by column, as HTML."""

from collections import Counter
from collections.abc import Iterable, Sequence

from stemma.extract.evaluation.alignment import Alignment
from stemma.extract.evaluation.errors import Error, ErrorSort
from stemma.schema import EntityKind, RelationType

_ENTITY_SORTS = (ErrorSort.MISSED_ENTITY, ErrorSort.SPURIOUS_ENTITY, ErrorSort.WRONG_KIND)
_NOTHING = "nothing"
_NO_ENTITY = "no such entity"
Cell = tuple[str, str]


def error_key(error: Error) -> str:
    """Return what the errors of one cell share: the value that the page filters by."""
    table = "entity" if error.sort in _ENTITY_SORTS else "relation"
    if error.sort is ErrorSort.WRONG_EVIDENCE:
        table = "evidence"
    return "|".join((table, *_cell(error)))


def entity_table(papers: Iterable[Alignment], errors: Iterable[Error]) -> str:
    """Return the table of kinds: of the entities that pair, and those that one side lacks."""
    cells = Counter(_cell(error) for error in errors if error.sort in _ENTITY_SORTS)
    for paper in papers:
        for each in paper.found:
            target = paper.target(each.name)
            if isinstance(target, int) and paper.gold.entities[target].kind is each.kind:
                cells[each.kind.value, each.kind.value] += 1
    kinds = [kind.value for kind in EntityKind]
    return _table([*kinds, _NOTHING], [*kinds, _NOTHING], cells, "entity")


def relation_table(papers: Iterable[Alignment], errors: Iterable[Error]) -> str:
    """Return the table of relations; "no such entity" is where one side lacks the entity."""
    others = (*_ENTITY_SORTS, ErrorSort.WRONG_EVIDENCE)
    cells = Counter(_cell(error) for error in errors if error.sort not in others)
    for paper in papers:
        agreed = paper.gold_claims.keys() & paper.predicted_claims.keys()
        cells.update((relation.value, relation.value) for relation, _ in agreed)
    sides = [*(relation.value for relation in RelationType), _NOTHING, _NO_ENTITY]
    return _table(sides, sides, cells, "relation")


def _cell(error: Error) -> Cell:
    lacking = _NOTHING
    if error.sort in (ErrorSort.MISSED_WITH_ENTITY, ErrorSort.SPURIOUS_WITH_ENTITY):
        lacking = _NO_ENTITY
    return error.gold or lacking, error.predicted or lacking


def _table(
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Counter[Cell],
    name: str,
) -> str:
    most = max((n for (gold, predicted), n in cells.items() if gold != predicted), default=1)
    head = "".join(f'<th scope="col"><span>{column}</span></th>' for column in columns)
    body = "".join(
        f'<tr><th scope="row">{row}</th>'
        + "".join(
            _number(cells[row, column], f"{name}|{row}|{column}", row == column, most)
            for column in columns
        )
        + "</tr>"
        for row in rows
    )
    corner = '<td class="corner">gold ↓ predicted →</td>'
    return f'<table class="confusion"><thead><tr>{corner}{head}</tr></thead>{body}</table>'


def _number(count: int, key: str, right: bool, most: int) -> str:
    if not count:
        return "<td></td>"
    if right:
        return f'<td class="right">{count}</td>'
    weight = round(100 * count / most)
    return (
        f'<td style="--weight:{weight}%"><button type="button" data-filter="{key}">'
        f"{count}</button></td>"
    )
