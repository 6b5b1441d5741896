"""The commands behind `make model`, `make teachers` and `make evaluate`, and those for readers."""

import sys
import time
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Annotated as Argument

import typer

from stemma.extract import ModelError, TrainedModel
from stemma.extract.encoder.network import Network
from stemma.extract.encoder.trained_model import SHIPPED, save_description
from stemma.extract.evaluation import PARTS, Evaluation, Scores, evaluate
from stemma.schema import Problem, interchange
from training.annotated import Annotated
from training.calibration import cross_validated, fit_calibration, stated
from training.full_texts import misfits, whole_papers
from training.papers import MissingPapersError, Papers
from training.readers import agreement, read_annotations, store
from training.reading import kept_readings, read, write_readings

ENOUGH_FOR_CALIBRATION = 100
"""From how many annotated papers on the calibration is fitted to them. With papers of the gold,
fitting to 50 changed F1 of relations by -0.010 on average and made confidences worse; to 100 it
changed F1 by -0.004, to 200 not at all, and confidences were better."""
STAGES = Path("build/training")
CROSS_VALIDATED = Path("build/cross-validated.jsonl")
Output = Argument[Path, typer.Option("--output", "-o")]
_BEGAN = time.monotonic()

app = typer.Typer(
    help="Train the network that reads papers, and measure it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


@app.command()
def model(epochs: float | None = None, folder: Path = STAGES) -> None:
    """Train the shipped network from pretrained weights, on the papers in STEMMA_SHARED.

    --epochs: those of the longest stage, which has 58; --folder keeps finished stages.
    """
    from training.course import EPOCHS_OF_STUDENT, Course, TrainingStages  # noqa: PLC0415 (loads PyTorch)
    from training.export import save_calibration  # noqa: PLC0415

    course = Course(TrainingStages(folder, _progress), epochs or EPOCHS_OF_STUDENT)
    papers, last = course.source.gold(), course.last_stage()
    write_readings(last.readings(papers))
    last.train("whole", papers, SHIPPED)
    save_calibration(fit_calibration(list(kept_readings(papers))), SHIPPED)
    _print(_measured(papers))


@app.command()
def teachers(folder: Path = STAGES) -> None:
    """Train the teachers of the shipped network, and write what they say of all papers."""
    from training.course import Course, TrainingStages  # noqa: PLC0415 (loads PyTorch)

    Course(TrainingStages(folder, _progress)).teach()


@app.command()
def tune(annotations: Path, paths: list[Path], output: Output, folder: Path = STAGES) -> None:
    """Go on training the shipped network on annotations of your own, and print what that gains.

    ANNOTATIONS is a file as for `stemma evaluate`, PATHS are the papers. The model that is written
    to --output is for `stemma evaluate --trained-model`, and for the setting
    `trained-model` of `stemma build` and `extract`.
    """
    from training.course import FOLDS, TrainingStages, tuning  # noqa: PLC0415 (loads PyTorch)
    from training.export import save_calibration  # noqa: PLC0415

    if output.exists() and any(output.iterdir()):
        raise FileExistsError(f"{output} already exists: name a new or an empty folder")
    papers, _ = _read(annotations, paths)
    if len(papers) < FOLDS:
        raise ValueError(f"{len(papers)} annotated papers found; it takes at least {FOLDS}")
    shipped = TrainedModel.read(SHIPPED)
    inputs = repr([(paper.marked.paper.abstract, paper.marked.annotation) for paper in papers])
    digest = sha256((shipped.fingerprint + inputs).encode()).hexdigest()[:16]
    last = tuning(TrainingStages(folder / digest, _progress), shipped)
    former = Network(shipped.path, threads=0)
    calibration = former.calibration
    before = [stated(each, calibration) for each in read(former, papers)]
    readings = last.readings(papers)
    if len(papers) >= ENOUGH_FOR_CALIBRATION:
        after = list(cross_validated(readings, calibration))
        calibration = fit_calibration(readings, calibration)
    else:
        _progress(f"thresholds stay as they are: it takes {ENOUGH_FOR_CALIBRATION} papers to fit")
        after = [stated(each, calibration) for each in readings]
    last.train("whole", papers, output)
    save_calibration(calibration, output)
    save_description(output, {"from": shipped.fingerprint, "papers": len(papers)})
    gold = [paper.marked.annotation for paper in papers]
    _print_f1({"before": evaluate(gold, before).scores, "after": evaluate(gold, after).scores})


@app.command("evaluate")
def measure() -> None:
    """Measure what networks read in papers that they were not trained on.

    The gold is measured by cross-validation, the held-out papers are read by the shipped network.
    """
    _print(_measured(Papers().gold()))
    network = Network.shipped(threads=0)
    columns = {}
    for reader, papers in enumerate(Papers().held_out(), 1):
        statements = [stated(each, network.calibration) for each in read(network, papers)]
        gold = [paper.marked.annotation for paper in papers]
        columns[f"reader {reader}"] = evaluate(gold, statements).scores
    _print_f1(columns)


@app.command()
def check(annotations: Path, paths: list[Path]) -> None:
    """Check annotations that a reader made of papers: ANNOTATIONS is a file as for `stemma
    evaluate`, PATHS are the papers."""
    papers, problems = _read(annotations, paths)
    print(f"{len(papers)} annotated papers, {problems} problems")
    if problems or not papers:
        raise typer.Exit(1)


@app.command()
def agree(first: Path, second: Path, paths: list[Path]) -> None:
    """Print F1 of the second reader's annotations against the first's, for papers of both."""
    (one, _), (other, _) = _read(first, paths), _read(second, paths)
    count, scores = agreement(one, other)
    print(f"{count} papers that both annotated")
    _print_f1({"agreement": scores})


@app.command("store")
def keep(annotations: Path, paths: list[Path], output: Output) -> None:
    """Write annotations without the texts, as they are kept in `training/data`."""
    papers, problems = _read(annotations, paths)
    if problems:
        raise ValueError(f"{annotations} has {problems} problems: nothing is written")
    store(papers, output)


@app.command("check-sections")
def check_sections() -> None:
    """Check what was judged of sentences of whole papers, against the gold and their texts."""
    papers = whole_papers(Papers())
    found = list(misfits(papers))
    for title, (relation, entity, sentence) in found:
        print(f"{title}: {relation} {entity!r}, sentence {sentence}", file=sys.stderr)
    count = sum(len(paper.judged) for paper in papers)
    print(f"{count} judgements of {len(papers)} papers, {len(found)} do not fit")
    if found:
        raise typer.Exit(1)


def _read(annotations: Path, paths: list[Path]) -> tuple[list[Annotated], int]:
    """Return the annotated papers, and how many problems were reported."""
    problems: list[Problem] = []
    papers = list(read_annotations(annotations, paths, problems.append))
    for problem in problems:
        print(problem, file=sys.stderr)
    return papers, len(problems)


def _measured(papers: list[Annotated]) -> Evaluation:
    readings = list(kept_readings(papers))
    if changed := len(papers) - len(readings):
        _progress(f"{changed} of {len(papers)} papers are split into other words now: left out")
    statements = list(cross_validated(readings))
    CROSS_VALIDATED.parent.mkdir(exist_ok=True)
    lines = "".join(f"{interchange.dump(statement)}\n" for statement in statements)
    CROSS_VALIDATED.write_text(lines, encoding="utf-8")
    return evaluate([each.paper.marked.annotation for each in readings], statements)


def _print(measured: Evaluation) -> None:
    print(f"{'gold':18}{'precision':>10}{'recall':>8}{'F1':>8}{'gold':>7}")
    for name, tally in measured.scores.items():
        figures = f"{tally.precision:10.3f}{tally.recall:8.3f}{tally.f1:8.3f}{tally.gold:7}"
        print(f"{'  ' * (name in PARTS) + name:18}{figures}")
    print(f"{'calibration error':18}{'expected':>10}{'by chance':>10}{'statements':>12}")
    for name, each in ("all", measured.calibration), *measured.calibration_by_relation.items():
        errors = f"{each.expected_error:10.3f}{each.error_by_chance:10.3f}"
        print(f"  {name:16}{errors}{each.statements:12}")


def _print_f1(columns: Mapping[str, Scores]) -> None:
    print(f"{'F1':18}" + "".join(f"{name:>10}" for name in columns) + f"{'gold':>7}")
    for name, tally in next(iter(columns.values())).items():
        if tally.gold:
            row = "".join(f"{scores[name].f1:10.3f}" for scores in columns.values())
            print(f"{'  ' * (name in PARTS) + name:18}{row}{tally.gold:7}")


def _progress(text: str) -> None:
    print(f"{time.monotonic() - _BEGAN:6.0f} s  {text}", file=sys.stderr, flush=True)


def main(arguments: list[str] | None = None) -> None:
    """Run a command; what cannot be read or found is reported in a line."""
    try:
        app(arguments, prog_name="python -m training")
    except (MissingPapersError, ModelError, ModuleNotFoundError, OSError, ValueError) as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
