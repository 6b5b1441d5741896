"""The command that trains a model: train."""

import shutil
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from stemma.schema import Problem
from stemma.schema.quantity import quantity
from stemma.server.cli.options import PathsArgument, YearOption, trained_model_at
from stemma.server.cli.terminal import answers, complain, progress, remarks, warn

if TYPE_CHECKING:
    from stemma.extract.encoder.training.annotation import Annotated as AnnotatedPaper
    from stemma.extract.encoder.training.finetuning import FineTuned

_NEEDED = ("torch", "onnx", "onnxscript", "sklearn")
_MOST_PROBLEMS_SHOWN = 20


def train(
    annotations: Annotated[
        Path,
        typer.Argument(
            help="Annotations, as for `stemma evaluate`: JSON lines, one paper per line.",
            exists=True,
            dir_okay=False,
        ),
    ],
    paths: PathsArgument,
    output: Annotated[Path, typer.Option("--output", "-o", help="A new or empty folder.")],
    force: Annotated[
        bool, typer.Option("--force", help="Replace a model that was written there before.")
    ] = False,
    trained_model: Annotated[
        Any,
        typer.Option(
            "--trained-model",
            parser=trained_model_at,
            metavar="FOLDER",
            help="Start from this model, from `stemma train`, instead of the shipped one.",
        ),
    ] = None,
    year: YearOption = None,
) -> None:
    """Train the model that reads papers on annotations of your own as well.

    What this gains is measured by cross-validation, and printed. The result is a folder for
    `--trained-model` of `stemma build`, `extract` and `evaluate`. A training that was stopped is
    continued by the same command. It needs `pip install 'stemma[train]'`.

    Example: `stemma train gold.jsonl papers/ -o my-model`, then
    `stemma extract papers/ --trained-model my-model`
    """
    if not all(map(find_spec, _NEEDED)):
        complain("training needs PyTorch and more: pip install 'stemma[train]'")
        raise typer.Exit(2)
    from stemma.extract import TrainedModel  # noqa: PLC0415 - keeps --help quick
    from stemma.extract.encoder.trained_model import DESCRIPTION, SHIPPED  # noqa: PLC0415
    from stemma.extract.encoder.training import finetuning  # noqa: PLC0415 - needs PyTorch
    from stemma.graph.export.destination import new_folder  # noqa: PLC0415

    kept = output.with_name(f".{output.name}.training")
    with new_folder(output, DESCRIPTION if force else None) as part:
        papers = _read(annotations, paths, year)
        if len(papers) < finetuning.LEAST_PAPERS:
            found = quantity(len(papers), "annotated paper")
            complain(f"{found} found; training needs at least {finetuning.LEAST_PAPERS}")
            raise typer.Exit(1)
        with progress("Training", unit="steps") as tick:
            training = finetuning.FineTuning(
                kept,
                progress=lambda text: None,
                model=trained_model or TrainedModel.read(SHIPPED),
                papers=papers,
                on_step=tick,
            )
            try:
                result = training.write(part)
            except KeyboardInterrupt:
                remarks.print(
                    f"Stopped. The same command continues; {kept} holds what is done.", markup=False
                )
                raise
    shutil.rmtree(kept)
    answers.print(_table(result))
    if not result.own_calibration:
        remarks.print(
            f"Thresholds and calibration are those of the model before: it takes "
            f"{finetuning.ENOUGH_PAPERS} papers to set them.",
            markup=False,
        )
    remarks.print(
        f"Trained on {quantity(len(papers), 'paper')}. Model written to {output}.", markup=False
    )


def _read(annotations: Path, paths: Sequence[Path], year: int | None) -> "list[AnnotatedPaper]":
    """Read the annotated papers, and report what is wrong with them."""
    from stemma.extract.encoder.training.own_papers import own_papers  # noqa: PLC0415

    problems = list[Problem]()
    papers = []
    with progress("Reading") as tick:
        for each in own_papers(annotations, paths, problems.append, year=year):
            papers.append(each)
            tick(len(papers))
    for problem in problems[:_MOST_PROBLEMS_SHOWN]:
        warn(problem)
    if (more := len(problems) - _MOST_PROBLEMS_SHOWN) > 0:
        remarks.print(f"… and {quantity(more, 'more problem')}", markup=False)
    return papers


def _table(result: "FineTuned") -> Table:
    """Show F1 before and after, of what is annotated at all."""
    rows = Table(box=None, pad_edge=False, header_style="dim")
    rows.add_column("F1")
    for name in ("before", "after", "gold"):
        rows.add_column(name, justify="right")
    figures = zip(result.before.figures(), result.after.figures(), strict=True)
    for (name, before, is_part), (_, after, _) in figures:
        if before.gold:
            rows.add_row(
                Text(("  " if is_part else "") + name, style="" if is_part else "bold"),
                *(f"{each.f1:.3f}" for each in (before, after)),
                str(before.gold),
            )
    return rows
