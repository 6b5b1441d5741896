"""The command that asks a store by SPARQL: sparql."""

import signal
import sys
from enum import StrEnum
from itertools import count
from typing import TYPE_CHECKING, Annotated

import pyoxigraph as ox
import typer
from rich.text import Text

from stemma.graph import Reader, Store, StoreError, open_store
from stemma.graph.rdf.vocabulary import PREFIXES, shortened
from stemma.schema.quantity import quantity
from stemma.server.cli.options import StoreOption
from stemma.server.cli.rows import Rows
from stemma.server.cli.terminal import answers, complain, progress, remarks
from stemma.server.sparql.answering import Refusal, Results, SparqlQuery, evaluate

if TYPE_CHECKING:
    from stemma.graph.sqlite.rdf_projection import RdfCache


def rdf_of(store: Store, reader: Reader) -> "RdfCache":
    """Return the RDF of a graph, which is written if it was not before.

    Raises StoreError where a store keeps none.
    """
    dataset = reader.dataset
    if dataset is None:
        raise StoreError(
            f"{store.url} does not store RDF. Build a file from the same papers (stemma build "
            "--store stemma.db), or query it with Cypher."
        )
    if not dataset.is_written:
        done, papers = count(1), reader.statistics().papers
        with progress("Writing RDF") as tick:
            dataset.project(lambda: tick(next(done), papers))
    return dataset


_SOLUTIONS = {e: ox.QueryResultsFormat.from_extension(e) for e in ("json", "csv", "tsv", "xml")}
_GRAPHS = {
    "turtle": ox.RdfFormat.TURTLE,
    "ntriples": ox.RdfFormat.N_TRIPLES,
    "jsonld": ox.RdfFormat.JSON_LD,
    "rdfxml": ox.RdfFormat.RDF_XML,
}
_TABLE = "table"
SparqlFormat = StrEnum("SparqlFormat", "table json csv tsv xml turtle ntriples jsonld rdfxml")
"""The formats that a query can be answered in."""
_WITH_LINES = ("table", "csv", "tsv", "turtle", "ntriples")
"""Formats that end in a line break."""


def sparql(
    query: Annotated[
        str,
        typer.Argument(
            help="A query; common prefixes need no declaration. - reads it from standard input."
        ),
    ],
    format: Annotated[
        SparqlFormat | None,
        typer.Option(
            "--format", "-f", help="Output format; by default a table, or Turtle for a graph."
        ),
    ] = None,
    store: StoreOption = "stemma.db",
) -> None:
    """Query the graph with SPARQL 1.1, without limits.

    The query runs on the union of all named graphs, unless it has FROM or GRAPH; relative IRIs
    are resolved against the base of the data.

    Example: `stemma sparql "SELECT ?x { ?x stemma:derivesFrom+ <entity/zero-infinity> }"`
    """
    text = sys.stdin.read() if query == "-" else query
    with open_store(store) as graph, graph.snapshot() as reader:
        dataset = rdf_of(graph, reader)
        # Oxigraph does not handle SIGINT while it works; the process itself does.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        try:
            results = evaluate(dataset.rdf, dataset.base, SparqlQuery(text))
            _print(results, format, dataset.base)
        except Refusal as refusal:
            complain(str(refusal))
            raise typer.Exit(1) from None


def _print(results: Results, asked: str | None, base: str) -> None:
    offered = [*_GRAPHS] if isinstance(results, ox.QueryTriples) else [_TABLE, *_SOLUTIONS]
    format_ = asked or offered[0]
    if format_ not in offered:
        complain(f"the query returns {_sort(results)}; supported formats: {', '.join(offered)}")
        raise typer.Exit(2)
    if isinstance(results, ox.QueryTriples):
        triples = dict.fromkeys(results)
        ox.serialize(triples, sys.stdout.buffer, _GRAPHS[format_], prefixes=PREFIXES)
    elif format_ != _TABLE:
        results.serialize(sys.stdout.buffer, _SOLUTIONS[format_])
    elif isinstance(results, ox.QueryBoolean):
        answers.print("yes" if results else "no")
    else:
        _print_table(results, base)
    if format_ not in _WITH_LINES:
        sys.stdout.buffer.write(b"\n")


def _sort(results: Results) -> str:
    if isinstance(results, ox.QueryTriples):
        return "a graph"
    return "yes or no" if isinstance(results, ox.QueryBoolean) else "a table"


def _print_table(solutions: ox.QuerySolutions, base: str) -> None:
    rows = Rows(*(variable.value for variable in solutions.variables))
    for solution in solutions:
        rows.add(*(_cell(solution[variable], base) for variable in solutions.variables))
    if rows:
        answers.print(rows, crop=False)
    remarks.print(quantity(len(rows), "row"))


def _cell(term: object, base: str) -> Text:
    if isinstance(term, ox.Literal):
        return Text(term.value)
    if not isinstance(term, ox.NamedNode):
        return Text("" if term is None else str(term))
    iri = term.value
    if iri.startswith(base):
        return Text(iri.removeprefix(base), style="cyan")
    return Text(shortened(iri), style="cyan")
