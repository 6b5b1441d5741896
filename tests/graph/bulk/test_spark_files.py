"""The files that a cluster writes for neo4j-admin are those of a store with the same papers."""

import csv
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from filled import put
from neo4j_server import Server
from stemma.graph.export import ExportFormat, export
from stemma.graph.sqlite import SqliteStore
from stemma.schema import interchange_parquet


@pytest.fixture
def write_both(spark, tmp_path):
    """Write the files of papers that are in a store, and those of a cluster with these papers."""
    from stemma.server.spark.graph_job import write_graph  # noqa: PLC0415 - an extra

    def write(papers, catalogue):
        store = SqliteStore(tmp_path / "stemma.db", catalogue=catalogue)
        papers = [replace(each, extractor="hand") for each in papers]
        put(store, *papers)
        with store.snapshot() as reader:
            export(reader, ExportFormat.NEO4J_CSV, tmp_path / "local")
        (tmp_path / "extractions").mkdir()
        for number in range(3):
            part = tmp_path / "extractions" / f"{number}.parquet"
            interchange_parquet.write(papers[number::3], part)
        output = tmp_path / "cluster"
        report = write_graph(
            spark, str(tmp_path / "extractions"), str(output), "neo4j-csv", catalogue
        )
        assert report.papers == len(papers)
        assert not report.problems
        return tmp_path / "local", output

    return write


def tables(folder: Path) -> dict[str, Counter[tuple[str, ...]]]:
    """The rows of each table, of files that begin with its name or lie in a folder of that name."""
    found = {}
    for header in folder.glob("*-header.csv"):
        name = header.name.removesuffix("-header.csv")
        files = [folder / f"{name}.csv", *folder.glob(f"{name}/part-*")]
        texts = [each.read_bytes().decode() for each in files if each.is_file()]
        rows = [row for text in texts for row in csv.reader(text.splitlines(keepends=True))]
        if rows:
            found[name] = Counter(map(tuple, rows))
    return found


def test_the_rows_are_those_of_a_store(write_both, library, catalogue) -> None:
    local, cluster = write_both(library, catalogue)
    assert tables(cluster) == tables(local)
    for name in tables(local):
        header = f"{name}-header.csv"
        assert (cluster / header).read_bytes() == (local / header).read_bytes()
    script = [folder.joinpath("finish.cypher").read_text("utf-8") for folder in (local, cluster)]
    assert sorted(script[0]) == sorted(script[1])


@pytest.mark.long  # So it does those of a store, whose rows they are.
def test_neo4j_admin_imports_them(write_both, library, catalogue, admin_import, tmp_path) -> None:
    _, cluster = write_both(library, catalogue)
    printed = admin_import(cluster, Server(tmp_path / "server"))
    nodes, relationships = (
        sum(rows.total() for name, rows in tables(cluster).items() if name.isupper() is upper)
        for upper in (False, True)
    )
    assert f"{nodes} nodes" in printed
    assert f"{relationships} relationships" in printed


def test_a_folder_that_is_there_is_left_alone(spark, tmp_path, catalogue) -> None:
    from stemma.server.spark.graph_job import write_graph  # noqa: PLC0415 - an extra

    with pytest.raises(FileExistsError):
        write_graph(spark, str(tmp_path / "gone"), str(tmp_path), "neo4j-csv", catalogue)
