"""Tables of results: how the paper's own system compares with the others of a table.

A table counts if it has a row (or column) of the paper's own, "Ours" or by its name. Systems are
then the rows (or columns) beside it, and metrics the columns (or rows) whose heading, or else the
caption, names one.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice, takewhile
from operator import attrgetter

from stemma.extract.comparison.standard import metric_in, metrics_in
from stemma.extract.formats.body import BETWEEN_CELLS, EMPTY_CELL
from stemma.schema import Citation, Comparison, Direction, Section
from stemma.schema.comparison import LESS_IS_BETTER, MORE_IS_BETTER

_NUMBER = re.compile(
    r"[^\w.]{0,3}(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"\s*(?P<unit>%|[×x]|[kKMGBT]|ms|s|GB|MB|h)?"
    r"\s*(?:(?:±|\+/-|\+-)\s*[\d.]+\s*%?)?(?:\s*\([^()]{0,30}\))?[^\w.]{0,4}"
)
_SETTING = re.compile(r"(?:\s*\[[^\[\]]{0,20}\])+$|\s+@\s?\S{1,8}$")
"""How something was measured: "BBH [3-shot]"."""
_AFTER_NAME = re.compile(r"\s*[\[(][^\])]*$|\s*（[^）]*）$|\s+(?:from|by|of|in|as in)$|[\s*†‡§¶]+$")
_BESIDE = re.compile(r"\([^()]{0,80}\)|[\])\s*†‡]")
"""What may stand beside a citation that is the name of a row."""
_OURS = re.compile(
    r"\b(?:ours|our (?:full )?(?:method|approach|model|system|framework|work)|this (?:work|paper)|"
    r"proposed)\b",
    re.I,
)
_ABLATED = re.compile(r"\b(?:w/o|without|no|ablat\w*|only)\b|\s[-−–]\s", re.I)
_NO_SYSTEM = re.compile(
    r"w/o?\s|(?:without|with|no|yes|only|full|base|baseline|average|avg|mean|overall|total|all|upper|"
    r"oracle|human|random|ablation|default|none|improvement|gain|speedup|rel|Δ|#|tiny|small|medium|"
    r"large|start|models?|methods?|data ?sets?|tasks?|references?|systems?|approach|settings?|"
    r"metrics?|types?|names?|sizes?|input|relative|architecture|params|parameters)\b|[-+–−\d△]",
    re.I,
)
_HEADINGS = (
    (
        re.compile(r"(?:tok(?:en)?|sample|image|request|req|seq(?:uence)?)s?\s*/\s*s(?:ec)?\b|qps"),
        "throughput",
    ),
    (re.compile(r"\bacc(?:\.|\b)|top-1|top-5|\bem\b|exact match"), "accuracy"),
    (re.compile(r"^(?:speed)?-?up\b"), "speed"),
    (re.compile(r"\((?:gb|mb|gib|mib)\)"), "memory"),
)
_SCORES = frozenset(
    {
        "accuracy",
        "AP",
        "AUC",
        "BLEU",
        "correctness",
        "Dice score",
        "error",
        "F1",
        "IoU",
        "mAP",
        "mIoU",
        "pass rate",
        "precision",
        "recall",
        "ROUGE",
        "SSIM",
        "success rate",
        "word error rate",
    }
)
"""Metrics on a scale to 100, for which differences are given, not factors."""
_GIVEN = frozenset(
    {
        "batch size",
        "bits",
        "iterations",
        "model size",
        "parameters",
        "resolution",
        "size",
        "training data",
    }
)
"""Metrics that are mostly chosen, and are in a table beside what was measured."""
_OF_VARIANTS = re.compile(r"\bablat|\bvariants?\b", re.I)
"""The caption of a table whose rows are all of the paper's own system."""
_DATA = re.compile(
    r"(?:(?:evaluation|test|down-?stream) )?(?:benchmarks?|data ?sets?|corp(?:us|ora))\b(?! size)|"
    r"(?:evaluation|test) (?:sets?|data)\b",
    re.I,
)
"""The heading of what is evaluated on."""
_LONGEST_CONDITION = 60
_Span = tuple[int, int]
Place = tuple[int, int, int]
"""The number of a section, and offsets in it."""
_Metric = tuple[str | None, bool, str]
"""The metric of a heading, whether the caption names it, and the heading."""


class TableRole(StrEnum):
    """What a name in a table is to the paper's own system, if that is in it."""

    BESIDE = "beside"
    """Another row where its own is a row, or another column."""
    ACROSS = "across"
    """A column where its own is a row, or a row."""
    APART = "apart"
    """A row of a table without its own."""
    DATA = "data"
    """What stands below a heading such as "Dataset"."""
    CELL = "cell"
    """Any other cell."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a table says of what one of its rows or columns is called by.

    `name` is the place of its name, `cited` what is cited beside it, `lines` are the places of the
    lines that say it. `role` tells what else the table has. `is_named` is false where the place has
    authors ("Potter et al.") or a citation alone, which other works may have, too.
    """

    name: Place
    cited: tuple[Citation, ...]
    comparison: Comparison | None
    lines: tuple[Place, ...]
    role: TableRole
    is_named: bool = True


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    place: _Span
    line: _Span


def results(number: int, section: Section, is_own: Callable[[str], bool]) -> Iterator[Result]:
    """Yield the results of a table, the section of this number.

    `is_own` knows the names of what the paper introduces.
    """
    lines = [*_lines(section.text)]
    caption = next((cells[0] for cells in lines if len(cells) == 1), None)
    rows = [cells for cells in lines if len(cells) > 1]
    heading = _heading(rows)
    body = rows[len(heading) :]
    yield from _cells(heading, body, number, section)
    if not heading or not any(_has_number(row) for row in body):
        return

    def is_ours(cell: _Cell) -> bool:
        return bool(_OURS.search(cell.text)) or is_own(_name(cell, section.citations)[0])

    width = min(map(len, rows))
    own, names = [row for row in body if is_ours(row[0])], heading[-1][:width]
    if not own and any(map(is_ours, names[1:])):  # The systems are columns: the table is turned.
        heading = [[names[0], *(row[0] for row in body)]]
        body = [[name, *(row[n] for row in body)] for n, name in enumerate(names[1:], 1)]
        width, own = len(heading[0]), [row for row in body if is_ours(row[0])]
    headings = [
        " ".join(dict.fromkeys(row[n].text for row in heading if row[n].text != "–"))
        for n in range(width)
    ]
    role, systems = TableRole.APART, [(row[0], row[1:width]) for row in body]
    metrics, across = list[_Metric](), list[_Cell]()
    ours: Sequence[_Cell] = ()
    labels: Sequence[_Cell] = ()
    if own:
        is_ablation = caption is not None and _OF_VARIANTS.search(caption.text)
        role = TableRole.APART if is_ablation else TableRole.BESIDE
        whole = [row for row in own if not _ABLATED.search(row[0].text)] or own
        systems = [system for system in systems if not is_ours(system[0])]
        metrics = _metrics(headings[1:], caption)
        across = [cell for row in heading for cell in row[1:width]]
        ours, labels = whole[-1][1:width], heading[-1][1:width]
    for name, values in systems:
        if not any(_number(value.text) for value in values):
            continue  # A heading within the table: "End-to-end models".
        places: Sequence[_Span] = (name.line,)
        comparison = None
        if found := _compared(ours, values, metrics):
            column, comparison = found
            said_by = caption if caption and metrics[column][1] else labels[column]
            places = (said_by.line, name.line, values[column].line, ours[column].line)
        yield from _result(name, number, section, comparison, places, role)
    for name in across:
        yield from _result(name, number, section, None, (name.line,), TableRole.ACROSS)


def _heading(rows: Sequence[Sequence[_Cell]]) -> Sequence[Sequence[_Cell]]:
    """Return the rows above the first one with a number, or one more: some headings are numbers."""
    if rows and _has_number(rows[0]):
        below = rows[1:2]
        names = [cell.text for row in below for cell in row]
        return [] if any(map(_has_number, below)) or EMPTY_CELL in names else rows[:2]
    found = [*takewhile(lambda row: not _has_number(row), rows)]
    return found if len(found) < len(rows) else rows[:1]


def _cells(
    heading: Sequence[Sequence[_Cell]],
    body: Sequence[Sequence[_Cell]],
    number: int,
    section: Section,
) -> Iterator[Result]:
    """Yield what a table names, whatever it is about."""
    below = {n for row in heading for n, cell in enumerate(row) if _DATA.match(cell.text)}
    has_numbers = any(map(_has_number, body))
    for row in body:
        for n, cell in enumerate(row):
            if n in below:
                yield from _result(cell, number, section, None, (cell.line,), TableRole.DATA)
            elif n or not has_numbers:
                yield from _result(cell, number, section, None, (cell.line,), TableRole.CELL)


def _has_number(row: Sequence[_Cell]) -> bool:
    return any(_number(cell.text) for cell in row[1:])


def _result(
    cell: _Cell,
    number: int,
    section: Section,
    comparison: Comparison | None,
    places: Sequence[_Span],
    role: TableRole,
) -> Iterator[Result]:
    text, start, cited = _name(cell, section.citations)
    is_citation = bool(cited) and start == cited[0].start
    if text and (is_citation or not (_NO_SYSTEM.match(text) or _number(text))):
        lines = tuple((number, *fromkey) for fromkey in dict.fromkeys(places))
        yield Result((number, start, start + len(text)), cited, comparison, lines, role)


def _lines(text: str) -> Iterator[list[_Cell]]:
    at = 0
    for line in text.split("\n"):
        cells, start = [], at
        for part in line.split(BETWEEN_CELLS):
            cells.append(_Cell(part, (start, start + len(part)), (at, at + len(line))))
            start += len(part) + len(BETWEEN_CELLS)
        yield cells
        at += len(line) + 1


def _metrics(headings: Sequence[str], caption: _Cell | None) -> list[_Metric]:
    named = {*metrics_in(caption.text.casefold())} if caption else set()
    of_all = named.pop() if len(named) == 1 else None
    own = [_metric(heading) for heading in headings]
    return [
        (metric or of_all, metric is None and of_all is not None, heading)
        for metric, heading in zip(own, headings, strict=True)
    ]


def _metric(heading: str) -> str | None:
    text = heading.casefold()
    found = next((metric for words, metric in _HEADINGS if words.search(text)), None)
    return found or metric_in(text, last=False)


def _compared(
    ours: Sequence[_Cell], theirs: Sequence[_Cell], metrics: Sequence[_Metric]
) -> tuple[int, Comparison] | None:
    """Return the first comparison by a metric of its own heading, else by that of the caption; what
    was given, not measured, comes last."""
    order = sorted(
        range(len(metrics)), key=lambda number: (metrics[number][0] in _GIVEN, metrics[number][1])
    )
    for number in order:
        metric, by_caption, heading = metrics[number]
        values = _number(ours[number].text), _number(theirs[number].text)
        if metric and values[0] and values[1] and values[0][1] == values[1][1]:
            condition = _condition(heading) if by_caption else None
            if comparison := _comparison(metric, values[0][0], values[1][0], condition):
                return number, comparison
    return None


def _comparison(metric: str, own: float, other: float, condition: str | None) -> Comparison | None:
    if metric not in MORE_IS_BETTER | LESS_IS_BETTER or (own == other and metric in _GIVEN):
        return None
    if own == other:
        return Comparison(metric=metric, direction=Direction.EQUAL, condition=condition)
    better = (own > other) == (metric in MORE_IS_BETTER)
    direction = Direction.BETTER if better else Direction.WORSE
    comparison = Comparison(metric=metric, direction=direction, condition=condition)
    if metric in _SCORES:
        scale = 100.0 if max(own, other) <= 1 else 1.0
        return replace(comparison, difference=round(abs(own - other) * scale, 2), unit="points")
    if not (own > 0 and other > 0):
        return None
    return replace(comparison, factor=float(f"{max(own, other) / min(own, other):.3g}"))


def _condition(heading: str) -> str | None:
    text = re.sub(r"[↑↓*]|\(\s*%?\s*\)", "", heading).strip()
    return f"on {text}" if text and len(text) <= _LONGEST_CONDITION else None


def _number(text: str) -> tuple[float, str] | None:
    match = _NUMBER.fullmatch(text)
    return (float(match["number"].replace(",", "")), match["unit"] or "") if match else None


def _name(cell: _Cell, citations: Sequence[Citation]) -> tuple[str, int, tuple[Citation, ...]]:
    """Return the name in a cell, where it begins, and what is cited after it.

    Where nothing else than a citation is there, that is the name.
    """
    start, end = cell.place
    first = bisect_left(citations, start, key=attrgetter("start"))
    within = takewhile(lambda citation: citation.start < end, islice(citations, first, None))
    cited = tuple(citation for citation in within if citation.end <= end)
    text = cell.text[: cited[0].start - start] if cited else cell.text
    name = _AFTER_NAME.sub("", _AFTER_NAME.sub("", _SETTING.sub("", text))).strip()
    if cited and not name and not _BESIDE.sub("", cell.text[cited[0].end - start :]):
        return cell.text[cited[0].start - start : cited[0].end - start], cited[0].start, cited
    return name, start + text.find(name) if name else start, cited
