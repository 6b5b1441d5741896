"""The commands behind `make model`, `make teachers` and `make evaluate`."""

import argparse
import sys
import time
from pathlib import Path

from stemma.extract.encoder.network import Network
from stemma.extract.encoder.trained_model import SHIPPED
from stemma.extract.encoder.training.calibrating import cross_validated, fit_calibration, stated
from stemma.extract.encoder.training.material import Material, MissingMaterialError
from stemma.extract.encoder.training.measuring import Reading, kept_readings, read, write_readings
from stemma.extract.evaluation import Evaluation, Tally, evaluate

KEPT = Path("build/training")
_BEGAN = time.monotonic()


def main() -> int:
    """Train the teachers, or the network that is shipped; or measure that on the gold."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("command", choices=["teachers", "model", "evaluate"])
    parser.add_argument("--folder", type=Path, default=KEPT, help="keeps finished stages")
    parser.add_argument(
        "--epochs",
        type=float,
        help="of the longest stage of `model`, which has 58: fewer are faster",
    )
    options = parser.parse_args()
    try:
        if options.command == "teachers":
            _teach(options.folder)
        elif options.command == "model":
            _print(_measured(_train(options.folder, options.epochs)))
        else:
            _print(_measured(_read_gold()))
            _print_held_out()
    except (MissingMaterialError, ModuleNotFoundError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _progress(text: str) -> None:
    print(f"{time.monotonic() - _BEGAN:6.0f} s  {text}", file=sys.stderr, flush=True)


def _teach(folder: Path) -> None:
    from stemma.extract.encoder.training.course import Course  # noqa: PLC0415  (needs PyTorch)
    from stemma.extract.encoder.training.taught import FILE  # noqa: PLC0415

    Course(folder, _progress).teach(FILE)
    print(f"What the teachers say is written to {FILE}: {FILE.stat().st_size / 1e6:.1f} MB.")


def _train(folder: Path, epochs: float | None) -> list[Reading]:
    from stemma.extract.encoder.training.course import (  # noqa: PLC0415  (needs PyTorch)
        EPOCHS_OF_STUDENT,
        Course,
    )
    from stemma.extract.encoder.training.export import save_calibration  # noqa: PLC0415

    course = Course(folder, _progress, epochs=epochs or EPOCHS_OF_STUDENT)
    write_readings(course.readings())
    readings = _read_gold()
    course.export(course.network(), SHIPPED)
    save_calibration(fit_calibration(readings), SHIPPED)
    size = sum(each.stat().st_size for each in SHIPPED.iterdir())
    print(f"Network written to {SHIPPED}: {size / 1e6:.1f} MB.\n")
    return readings


def _read_gold() -> list[Reading]:
    """Return what networks that were not trained on it read in each paper of the gold."""
    papers = Material.default().papers()
    readings = list(kept_readings(papers))
    if changed := len(papers) - len(readings):
        _progress(
            f"{changed} of {len(papers)} papers of the gold are split into other words than when "
            "they were read, and do not count"
        )
    return readings


def _measured(readings: list[Reading]) -> Evaluation:
    return evaluate([each.paper.record for each in readings], list(cross_validated(readings)))


def _print(measured: Evaluation) -> None:
    print(f"{'gold':18}{'precision':>10}{'recall':>8}{'F1':>8}{'gold':>7}")
    for name, tally, is_part in measured.scores.figures():
        print(
            f"{'  ' * is_part + name:18}{tally.precision:10.3f}{tally.recall:8.3f}{tally.f1:8.3f}"
            f"{tally.gold:7}"
        )
    print(f"{'calibration error':18}{'expected':>10}{'by chance':>10}{'statements':>12}")
    for name, each in ("all", measured.calibration), *measured.calibration_by_relation.items():
        errors = f"{each.expected_error:10.3f}{each.error_by_chance:10.3f}"
        print(f"  {name:16}{errors}{each.statements:12}")
    causes = measured.lineage_causes
    print(f"{'lineage, instead:':18}{'missed':>10}{'spurious':>10}")
    for cause, _ in (causes.missed + causes.spurious).most_common():
        print(f"  {cause:16}{causes.missed[cause]:10}{causes.spurious[cause]:10}")


def _print_held_out() -> None:
    """Print what the shipped network reads right in papers that it was not trained on."""
    network = Network.shipped(threads=0)
    columns: dict[str, list[Tally]] = {}
    for papers in Material.default().held_out():
        found = [stated(each, network.calibration) for each in read(network, papers)]
        scores = evaluate([each.record for each in papers], found).scores
        for name, tally, is_part in scores.figures():
            columns.setdefault("  " * is_part + name, []).append(tally)
    print(f"{'held out, F1':18}{'reader 1':>10}{'reader 2':>10}")
    for name, tallies in columns.items():
        print(f"{name:18}" + "".join(f"{each.f1:10.3f}" for each in tallies))


if __name__ == "__main__":
    sys.exit(main())
