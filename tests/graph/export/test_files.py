"""Where exports go: files that appear whole, under the name that was asked for."""

import gzip
from pathlib import Path

import pytest

from stemma.graph import StoreError
from stemma.graph.export import ExportFormat, Portion, export_portion, format_of


@pytest.fixture
def write(graph):
    def _write(format: ExportFormat, to: Path, replace=False, **portion) -> list[Path]:
        with graph.snapshot() as reader:
            return export_portion(Portion(reader, **portion), format, to, replace)

    return _write


@pytest.mark.parametrize("name", ["graph", "graph.json", "ttl", "graph.gz"])
def test_a_name_without_a_known_format_is_an_error_that_lists_the_endings(name):
    with pytest.raises(ValueError, match=r"\.ttl.*--format"):
        format_of(Path(name))


def test_a_file_ending_in_gz_is_compressed_and_repeatable(write, exported, tmp_path):
    for name in ("one.nq.gz", "two.nq.gz"):
        assert write(ExportFormat.NQUADS, tmp_path / name) == [tmp_path / name]
    one, two = ((tmp_path / name).read_bytes() for name in ("one.nq.gz", "two.nq.gz"))
    assert one == two
    assert gzip.decompress(one) == exported(ExportFormat.NQUADS, full=False)


def test_a_file_appears_whole_or_not_at_all(write, tmp_path):
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    folder = tmp_path / "out"
    folder.mkdir()
    for name in ("GRAPH.v2.TTL", "graph.csv"):
        with pytest.raises(KeyboardInterrupt):
            write(format_of(Path(name)), folder / name, progress=stop)
    assert not list(folder.iterdir())


def test_a_folder_that_is_missing_or_none_is_reported(write, tmp_path):
    with pytest.raises(FileNotFoundError, match="There is no folder"):
        write(ExportFormat.NTRIPLES, tmp_path / "missing" / "graph.nt")
    with pytest.raises(IsADirectoryError, match="is a folder"):
        write(ExportFormat.NTRIPLES, tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="There is no folder"):
        write(ExportFormat.NTRIPLES, tmp_path / "file" / "graph.nt")


def test_a_file_that_cannot_be_written_is_reported_by_its_own_name(write, tmp_path):
    name = "x" * 250 + ".nt"  # Too long with what is added while it is being written.
    with pytest.raises(OSError, match=r"/x{250}\.nt cannot be written: File name too long"):
        write(ExportFormat.NTRIPLES, tmp_path / name)


def test_tables_go_into_a_folder_or_beside_each_other(write, tmp_path):
    folder = tmp_path / "tables"
    assert write(ExportFormat.CSV, folder) == [folder / "nodes.csv", folder / "edges.csv"]
    compressed = write(ExportFormat.CSV, tmp_path / "graph.csv.gz")
    assert [path.name for path in compressed] == ["graph-nodes.csv.gz", "graph-edges.csv.gz"]
    for one, other in zip((folder / "nodes.csv", folder / "edges.csv"), compressed, strict=True):
        assert one.read_bytes() == gzip.decompress(other.read_bytes())


def test_several_files_are_no_stream(exported):
    with pytest.raises(StoreError, match="folder"):
        exported(ExportFormat.CSV)
