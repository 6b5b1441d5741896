"""The commands behind `make model` and `make evaluate`."""

import argparse
import sys
import time
from pathlib import Path

from stemma.extract.encoder.network import FOLDER
from stemma.extract.encoder.training.course import Course, extractions
from stemma.extract.encoder.training.export import export
from stemma.extract.encoder.training.material import MissingMaterialError
from stemma.extract.encoder.training.thresholds import fit_thresholds
from stemma.extract.evaluation import Evaluation, evaluate, write_report

REPORT = Path("build/evaluation.html")
KEPT = Path("build/training")


def main() -> int:
    """Cross-validate; then write the report, or learn from all papers and write the network."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("command", choices=["model", "evaluate"])
    parser.add_argument("--folder", type=Path, default=KEPT, help="keeps finished stages")
    options = parser.parse_args()
    began = time.monotonic()

    def progress(text: str) -> None:
        print(f"{time.monotonic() - began:6.0f} s  {text}", file=sys.stderr, flush=True)

    try:
        course = Course(options.folder, progress)
    except (MissingMaterialError, ModuleNotFoundError) as error:
        print(error, file=sys.stderr)
        return 1
    readings = course.out_of_fold()
    annotated = [each.example.paper.record for each in readings]
    measured = evaluate(annotated, list(extractions(readings)))
    _print(measured)
    if options.command == "evaluate":
        REPORT.parent.mkdir(parents=True, exist_ok=True)
        write_report(measured, REPORT)
        print(f"\nReport written to {REPORT}.")
    else:
        tokenizer = course.pretrained.tokenizer
        export(course.whole(), tokenizer, course.words(), fit_thresholds(readings), FOLDER)
        size = sum(each.stat().st_size for each in FOLDER.iterdir())
        print(f"\nNetwork written to {FOLDER}: {size / 1e6:.1f} MB.")
    return 0


def _print(measured: Evaluation) -> None:
    print(f"{'out of fold':18}{'precision':>10}{'recall':>8}{'F1':>8}{'gold':>7}")
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


if __name__ == "__main__":
    sys.exit(main())
