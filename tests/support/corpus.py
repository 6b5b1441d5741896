"""What the extractor finds in papers: read once, and kept until the papers or the extractor change.

Tests of what is asked of a graph load it. That building a graph is extracting and loading is
tested with commands and with the examples of the README.
"""

import inspect
import shutil
from hashlib import sha256
from pathlib import Path

import stemma
from kept import kept
from stemma.schema import interchange
from stemma.server.build import extract
from stemma.server.build_report import BuildReport
from stemma.server.extraction_settings import ExtractionSettings

_ROOMS = ("schema", "extract")
_PARTS = {".py", ".cfg", ".toml", ".ttl", ".npz", ".json", ".onnx"}
_VERSIONS = 5
"""How many are kept: one for each branch that somebody works on."""


def extracted(papers: Path, name: str) -> Path:
    """Return a file of what is found in papers, in the form that `stemma load` reads."""
    package = Path(stemma.__file__).parent
    digest = sha256(Path(inspect.getfile(extract)).read_bytes())
    for folder in (papers, *(package / room for room in _ROOMS)):
        for file in sorted(folder.resolve().rglob("*")):
            if (folder is papers or file.suffix in _PARTS) and file.is_file():
                digest.update(file.name.encode() + file.read_bytes())
    prefix = f"extracted-{name}-"

    def write(folder: Path) -> None:
        folder.mkdir()
        report = BuildReport()
        with (folder / "papers.jsonl").open("w", encoding="utf-8") as file:
            for extraction in extract([papers], ExtractionSettings(), report=report):
                file.write(f"{interchange.dump(extraction)}\n")
        assert not report.problems
        others = [each for each in folder.parent.glob(f"{prefix}*") if each.suffix == ""]
        for old in sorted(others, key=lambda each: each.stat().st_mtime)[:-_VERSIONS]:
            shutil.rmtree(old, ignore_errors=True)

    return kept(prefix + digest.hexdigest()[:12], write) / "papers.jsonl"
