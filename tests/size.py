"""Print the size of the code beside its budget: lines of Python by folder, words of documentation.

    python tests/size.py

Training is apart: it is not part of the package. The budget is what the whole may have at most in
the end; until then no part may grow above its limit: who adds has to take away elsewhere.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
BUDGET = {"schema": 2_800, "extract": 14_000, "graph": 10_000, "server": 13_200}
LIMITS = {"schema": 2_670, "extract": 14_980, "graph": 12_700, "server": 18_080}
TESTS, WORDS = 25_000, 15_000


def lines(folder: str) -> int:
    """Return the lines of Python in a folder of the repository."""
    return sum(len(each.read_text("utf-8").splitlines()) for each in files(folder, "*.py"))


def words(*places: str) -> int:
    """Return the words of Markdown in files and folders."""
    found = [each for place in places for each in files(place, "*.md")]
    return sum(len(each.read_text("utf-8").split()) for each in found)


def files(place: str, pattern: str) -> Iterator[Path]:
    """Yield a file, or the files of a folder; what npm installs is none of ours."""
    path = ROOT / place
    found = [path] if path.is_file() else sorted(path.rglob(pattern))
    return (each for each in found if "node_modules" not in each.parts)


def main() -> None:
    """Print a line for each folder; end with status 1 if one is above its limit."""
    sizes = {folder: lines(folder) for folder in BUDGET}
    rows = [(folder, size, BUDGET[folder], LIMITS[folder]) for folder, size in sizes.items()]
    together = sum(sizes.values()), sum(BUDGET.values()), sum(LIMITS.values())
    rows += [
        ("together", *together),
        ("tests", lines("tests"), TESTS, TESTS),
        ("words of docs", words("README.md", "docs"), WORDS, WORDS),
    ]
    for name, size, wanted, most in rows:
        over = f", {size - wanted:,} too many" if size > wanted else ""
        above = f"; above the limit of {most:,}" if size > most else ""
        print(f"{name:14}{size:8,} of {wanted:6,}{over}{above}")
    sys.exit(any(size > most for _, size, _, most in rows))


if __name__ == "__main__":
    main()
