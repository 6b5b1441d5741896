"""The commands behind `make model` and `make evaluate`."""

import argparse
import sys
import time
from pathlib import Path

from stemma.extract.evaluation import Evaluation, evaluate, write_report
from stemma.extract.learned.lexicon import KnownNames
from stemma.extract.learned.model import FILE
from stemma.extract.learned.training.crossvalidation import CrossValidated, cross_validate
from stemma.extract.learned.training.material import Material, MissingMaterialError
from stemma.schema import Catalogue

REPORT = Path("build/evaluation.html")


def main() -> int:
    """Cross-validate; then write the report, or fit the model on all papers and write it."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("command", choices=["model", "evaluate"])
    parser.add_argument("--processes", "-j", type=int, default=2)
    options = parser.parse_args()
    try:
        material = Material.default()
    except MissingMaterialError as error:
        print(error, file=sys.stderr)
        return 1
    done = _cross_validated(material, options.processes)
    counted = [each.record for each in done.papers[: done.counted]]
    measured = evaluate(counted, list(done.extractions()))
    _tell(measured)
    if options.command == "evaluate":
        REPORT.parent.mkdir(parents=True, exist_ok=True)
        write_report(measured, REPORT)
        print(f"\nReport written to {REPORT}.")
    else:
        done.model().save(FILE)
        print(f"\nModel written to {FILE}: {FILE.stat().st_size / 1e6:.1f} MB.")
    return 0


def _cross_validated(material: Material, processes: int) -> CrossValidated:
    began = time.monotonic()

    def tell(text: str) -> None:
        print(f"{time.monotonic() - began:5.0f} s  {text}", file=sys.stderr, flush=True)

    papers, more = material.papers(), material.more_papers()
    tell(f"read {len(papers)} annotated papers, and {len(more)} to learn from")
    corpus = material.corpus
    tell(f"counted the words of {corpus.documents} abstracts")
    names = KnownNames.of(Catalogue.shipped())
    return cross_validate(papers, more, corpus, names, processes=processes, tell=tell)


def _tell(measured: Evaluation) -> None:
    print(f"{'out of fold':18}{'precision':>10}{'recall':>8}{'F1':>8}{'gold':>7}")
    for name, tally, is_part in measured.scores.figures():
        print(
            f"{'  ' * is_part + name:18}{tally.precision:10.3f}{tally.recall:8.3f}{tally.f1:8.3f}"
            f"{tally.gold:7}"
        )
    calibration = measured.calibration
    print(f"expected calibration error {calibration.expected_error:.3f}")


if __name__ == "__main__":
    sys.exit(main())
