"""The command that exports, as a user types it."""

import gzip
from pathlib import Path
from subprocess import CompletedProcess

from command import stemma_bytes


def export(store: str, *arguments: str, cwd: Path | None = None) -> CompletedProcess[bytes]:
    return stemma_bytes("export", "--store", store, *arguments, cwd=cwd)


def test_the_name_of_the_file_decides_the_format_and_force_replaces_it(example_store, tmp_path):
    done = export(example_store, "-o", "graph.nt.gz", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert b"Written to graph.nt.gz." in done.stderr
    lines = gzip.decompress((tmp_path / "graph.nt.gz").read_bytes())
    assert lines == export(example_store, "-f", "ntriples").stdout
    again = export(
        example_store, "-o", "graph.nt.gz", "--force", "--without-abstracts", cwd=tmp_path
    )
    assert again.returncode == 0, again.stderr
    left_out = set(lines.splitlines()) - {
        *gzip.decompress((tmp_path / "graph.nt.gz").read_bytes()).splitlines()
    }
    assert left_out and all(b"<https://schema.org/abstract>" in each for each in left_out)


def test_one_lineage_holds_less_than_the_graph(example_store):
    whole = export(example_store, "-f", "nquads").stdout
    done = export(example_store, "-f", "nquads", "--of", "zero infinity", "--depth", "1")
    assert b"entity/fuyou> " in done.stdout
    assert {*done.stdout.splitlines()} < {*whole.splitlines()}
    up = export(example_store, "-f", "nquads", "--of", "Fuyou", "--direction", "ancestors")
    assert b"entity/zero-infinity>" in up.stdout


def test_what_is_there_stays(example_store, tmp_path):
    (tmp_path / "there.ttl").write_text("mine")
    done = export(example_store, "-o", "there.ttl", cwd=tmp_path)
    assert (done.returncode, b"there.ttl already exists" in done.stderr) == (1, True)
    assert (tmp_path / "there.ttl").read_text() == "mine"
