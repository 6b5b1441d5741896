"""Options that several commands share."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from stemma.graph import LineageDirection
from stemma.schema import RelationType

StoreOption = Annotated[
    str,
    typer.Option(
        "--store",
        "-s",
        envvar="STEMMA_STORE",
        help="The store: a folder, or a Neo4j server (neo4j://user:password@host:7687; what is "
        "left out comes from NEO4J_USERNAME, NEO4J_PASSWORD).",
    ),
]
PathsArgument = Annotated[
    list[Path],
    typer.Argument(help="Listings (.txt) and dumps (.jsonl), or folders of them; .gz too."),
]
YearOption = Annotated[
    int | None,
    typer.Option(
        help="The year in which listings were saved, for dates that leave it out.",
        min=1900,
        max=2100,
    ),
]
ProcessesOption = Annotated[
    int, typer.Option("--processes", "-j", min=1, help="How many processes extract.")
]
WorkArgument = Annotated[
    str, typer.Argument(help="A paper or an entity, in any spelling, or an id.")
]
DirectionOption = Annotated[
    LineageDirection, typer.Option(help="What came of it, or what it came from.")
]
DepthOption = Annotated[int, typer.Option(min=1, help="How many steps.")]
LineageRelationsOption = Annotated[
    list[RelationType] | None,
    typer.Option("--relation", help="BUILDS_ON or IMPROVES_ON alone.", case_sensitive=False),
]
MinConfidenceOption = Annotated[
    float, typer.Option(min=0, max=1, help="Leave out what is less sure.")
]
CountCatalogueOption = Annotated[
    bool, typer.Option(help="Whether to count what no paper here says.")
]
FastOption = Annotated[
    bool,
    typer.Option("--fast", help="Rules alone, without the trained model: faster, less accurate."),
]


class DataFormat(StrEnum):
    """For people, or for programs."""

    TEXT = "text"
    JSON = "json"


FormatOption = Annotated[
    DataFormat, typer.Option("--format", "-f", help="For people, or for programs.")
]
