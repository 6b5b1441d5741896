"""The command that measures the extraction: evaluate."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Column, Table
from rich.text import Text

from stemma.schema.quantity import quantity
from stemma.server.cli.extraction_settings import (
    PathsArgument,
    ProcessesOption,
    TrainedModelOption,
    YearOption,
)
from stemma.server.cli.options import DataFormat, FormatOption
from stemma.server.cli.rows import grid
from stemma.server.cli.terminal import answers, complain, print_json, progress, remarks, warn

if TYPE_CHECKING:
    from stemma.extract.evaluation import ClaimSupport, Error, Evaluation

_MOST_TITLES_SHOWN = 10
_TALLY = ("precision", "recall", "f1", "right", "spurious", "missed")
_ERROR = ("label", "gold", "predicted", "entity")
_BIN = ("lower", "upper", "mean_confidence", "accuracy", "statements")


def evaluate(
    gold: Annotated[
        Path, typer.Argument(help="Annotations: JSON lines, one paper per line.", exists=True)
    ],
    paths: PathsArgument,
    errors: Annotated[bool, typer.Option("--errors", help="List all errors by paper.")] = False,
    year: YearOption = None,
    processes: ProcessesOption = None,
    trained_model: TrainedModelOption = None,
    format: FormatOption = DataFormat.TEXT,
) -> None:
    """Measure the extraction against annotations: precision, recall, calibration.

    Papers are matched by title. Output of `stemma extract` is evaluated as it is; other files are
    extracted first.

    Example: `stemma evaluate gold.jsonl papers/ --errors`
    """
    from stemma.extract import Extractor  # noqa: PLC0415 - keeps --help quick
    from stemma.extract import evaluation as evaluating  # noqa: PLC0415

    annotations, problems = evaluating.read_gold(gold)
    for problem in problems:
        warn(problem)
    if not annotations:
        complain(f"{gold} contains no annotations")
        raise typer.Exit(1)
    titles = [annotation.title for annotation in annotations]
    predictions = []
    extractor = Extractor(model=trained_model)
    with progress("Extracting") as tick:
        for extraction in evaluating.predict(
            paths, titles, warn, year=year, processes=processes, extractor=extractor
        ):
            predictions.append(extraction)
            tick(len(predictions))
    measured = evaluating.evaluate(annotations, predictions)
    if not predictions:
        complain("the given paths contain none of the annotated papers")
        raise typer.Exit(1)
    found_errors = {
        paper.gold.title: evaluating.errors(paper) for paper in measured.papers if errors
    }
    if format is DataFormat.JSON:
        print_json(_json(measured, found_errors if errors else None))
    else:
        _print_results(measured, found_errors)


def _print_results(measured: "Evaluation", found_errors: dict[str, list["Error"]]) -> None:
    from stemma.extract.evaluation import PARTS  # noqa: PLC0415 - keeps --help quick

    missing = measured.missing
    for title in missing[:_MOST_TITLES_SHOWN]:
        remarks.print(f"not found, counted as missed: {title}")
    if len(missing) > _MOST_TITLES_SHOWN:
        more = quantity(len(missing) - _MOST_TITLES_SHOWN, "more paper")
        remarks.print(f"… and {more} not found")
    calibration = measured.calibration
    figures = (
        (
            Text(f"  {name}") if name in PARTS else Text(name, "bold"),
            *(tally.precision, tally.recall, tally.f1, tally.gold),
        )
        for name, tally in measured.scores.items()
    )
    answers.print(_table(("", "precision", "recall", "F1", "gold"), figures))
    answers.print(
        f"\nConfidence: expected calibration error {calibration.expected_error:.3f} "
        f"over {quantity(calibration.statements, 'statement')} "
        f"({calibration.error_by_chance:.3f} by chance alone)"
    )
    bins = (
        (f"{each.lower:.1f}-{each.upper:.1f}", each.mean_confidence, each.accuracy, each.statements)
        for each in calibration.bins
    )
    answers.print(_table(("confidence", "mean", "accuracy", "statements"), bins))
    if not found_errors:
        return
    labels = Counter(error.label for of_paper in found_errors.values() for error in of_paper)
    answers.print(f"\n{quantity(labels.total(), 'error')}")
    for label, count in labels.most_common():
        answers.print(f"{count:>5}  {label}")
    for title, of_paper in found_errors.items():
        if of_paper:
            answers.print(Text(f"\n{title}", style="bold"))
        for error in of_paper:
            answers.print(Text(f"  {error.label}: {error.entity}"))
            for text in _evidence(error.gold_support):
                answers.print(Text(f"    gold: “{text}”", style="dim"))
            for text in _evidence(error.predicted_support):
                answers.print(Text(f"    predicted: “{text}”", style="dim"))


def _table(headers: Sequence[str], rows: Iterable[Sequence[Text | str | float]]) -> Table:
    """Return a table of numbers, shares with three digits."""
    table = grid(*(Column(header, justify="right" if header else "left") for header in headers))
    for row in rows:
        cells = (f"{each:.3f}" if isinstance(each, float) else each for each in row)
        table.add_row(*(str(cell) if isinstance(cell, int) else cell for cell in cells))
    return table


def _json(measured: "Evaluation", found_errors: dict[str, list["Error"]] | None) -> dict[str, Any]:
    calibration = measured.calibration
    data: dict[str, Any] = {
        "papers": len(measured.papers),
        "missing": measured.missing,
        "figures": {name: _named(tally, _TALLY) for name, tally in measured.scores.items()},
        "calibration": {
            "expected_calibration_error": calibration.expected_error,
            **_named(calibration, ("error_by_chance", "statements")),
            "bins": [_named(each, _BIN) for each in calibration.bins],
        },
    }
    if found_errors is not None:
        data["errors"] = [
            {
                "title": title,
                **_named(error, _ERROR),
                "gold_evidence": _evidence(error.gold_support),
                "predicted_evidence": _evidence(error.predicted_support),
                "confidence": error.predicted_support and error.predicted_support.confidence,
            }
            for title, of_paper in found_errors.items()
            for error in of_paper
        ]
    return data


def _named(value: Any, names: Sequence[str]) -> dict[str, Any]:
    return {name: getattr(value, name) for name in names}


def _evidence(support: "ClaimSupport | None") -> list[str]:
    return list(dict.fromkeys(support.evidence)) if support else []
