"""Correct the graph; decisions also apply to all later builds."""

from collections.abc import Collection, Iterable
from typing import Annotated

import typer

from stemma.graph import open_store
from stemma.graph.selection import filters
from stemma.schema import (
    ChangeKind,
    Confirm,
    Decision,
    DecisionError,
    EntityKind,
    Merge,
    Problem,
    Reject,
    RelationType,
    Rename,
    Split,
)
from stemma.schema.decision_file import to_json
from stemma.schema.quantity import quantity
from stemma.server import deciding
from stemma.server.cli.options import DataFormat, FormatOption, StoreOption, parser
from stemma.server.cli.terminal import answers, print_json, remarks, warn

decide = typer.Typer(
    name="decide",
    help=f"{__doc__}\n\n"
    "Decisions are kept in a file next to the store (stemma.db.decisions.toml), which you can "
    "edit; they are applied in its order.\n\n"
    'Example: `stemma decide merge ZeRO-Inference "DeepSpeed ZeRO-Inference" --note "two names"`',
    no_args_is_help=True,
    rich_markup_mode=None,
)
EntityArgument = Annotated[str, typer.Argument(help="An entity, in any spelling, or its id.")]
SubjectArgument = Annotated[
    str,
    typer.Argument(help="The paper with the statement, or what it introduces; a name or an id."),
]
RelationArgument = Annotated[
    RelationType,
    typer.Argument(
        help=f"The relation: {', '.join(RelationType)}.",
        metavar="RELATION",
        parser=parser(filters()["relations"].read_one),
    ),
]
ForceOption = Annotated[bool, typer.Option("--force", help="Decide despite doubts.")]
NoteOption = Annotated[str | None, typer.Option("--note", "-n", help="The reason.")]


@decide.command()
def merge(
    entities: Annotated[
        list[str],
        typer.Argument(help="Entities to merge into the first one, which keeps its name and id."),
    ],
    force: ForceOption = False,
    store: StoreOption = "stemma.db",
    note: NoteOption = None,
) -> None:
    """Merge several entities into one; entities of different kinds need `--force`.

    Example: `stemma decide merge ZeRO-Inference "DeepSpeed ZeRO-Inference"`
    """
    _decide(store, Merge(tuple(entities), note), force)


@decide.command()
def split(
    entity: EntityArgument,
    papers: Annotated[
        list[str],
        typer.Option("--paper", "-p", help="A paper that means something else; can be repeated."),
    ],
    name: Annotated[str | None, typer.Option(help="The name of the new entity.")] = None,
    store: StoreOption = "stemma.db",
    note: NoteOption = None,
) -> None:
    """Split an entity: some papers use its name for a different entity.

    Example: `stemma decide split LoRA --paper "Punica: Multi-Tenant LoRA Serving"`
    """
    _decide(store, Split(entity, tuple(papers), name, note))


@decide.command()
def rename(
    entity: EntityArgument,
    name: Annotated[str, typer.Argument(help="The new name.")],
    force: ForceOption = False,
    store: StoreOption = "stemma.db",
    note: NoteOption = None,
) -> None:
    """Rename an entity; it keeps its id, and the old name as an alias. Another's needs `--force`.

    Example: `stemma decide rename "Orca serving system" Orca`
    """
    _decide(store, Rename(entity, name, note), force)


@decide.command()
def kind(
    entity: EntityArgument,
    kind: Annotated[EntityKind, typer.Argument(help="The kind.", case_sensitive=False)],
    store: StoreOption = "stemma.db",
    note: NoteOption = None,
) -> None:
    """Change the kind of an entity.

    Example: `stemma decide kind LSP-Offload framework`
    """
    _decide(store, ChangeKind(entity, kind, note))


def _about_statements(name: str, made: type[Reject | Confirm], help: str) -> None:
    """Add the command that decides about a statement."""

    @decide.command(name, help=help)
    def command(
        subject: SubjectArgument,
        relation: RelationArgument,
        entity: EntityArgument,
        store: StoreOption = "stemma.db",
        note: NoteOption = None,
    ) -> None:
        _decide(store, made(subject, relation, entity, note))


_about_statements(
    "reject",
    Reject,
    "Reject a statement, even if it is extracted again.\n\n"
    'Example: `stemma decide reject Megatron-LM BUILDS_ON GPipe --note "orthogonal to GPipe"`',
)
_about_statements(
    "confirm",
    Confirm,
    "Confirm a statement: its confidence becomes 1.\n\n"
    "Example: `stemma decide confirm Fuyou IMPROVES_ON ZeRO-Infinity`",
)


@decide.command(name="list")
def list_(store: StoreOption = "stemma.db", format: FormatOption = DataFormat.TEXT) -> None:
    """List the decisions with their numbers.

    Example: `stemma decide list`
    """
    with open_store(store) as graph:
        graph.statistics()
        decisions, unapplied = graph.decisions.read(), graph.unapplied()
        is_outdated = graph.lacks_decisions()
    if format is DataFormat.JSON:
        print_json(
            [
                {"number": number, **to_json(each), "unapplied": unapplied.get(number)}
                for number, each in enumerate(decisions, start=1)
            ]
        )
    else:
        for number, each in enumerate(decisions, start=1):
            answers.print(f"{number}  {each}", soft_wrap=True)
            if each.note:
                answers.print(f"   {each.note}", style="dim", soft_wrap=True)
            if reason := unapplied.get(number):
                answers.print(
                    f"   not applied, or only partially applied: {reason}", style="yellow"
                )
        if not decisions:
            remarks.print(f"There are no decisions on {graph.url}.")
    if is_outdated:
        remarks.print("The file has changed: `stemma decide apply` applies it, as does any build.")


@decide.command()
def apply(store: StoreOption = "stemma.db") -> None:
    """Apply the decisions in the file, after it was edited or pulled.

    Example: `stemma decide apply`
    """
    with open_store(store) as graph:
        unapplied = deciding.apply(graph)
        number = quantity(len(graph.decisions.read()), "decision")
    answers.print(f"Applied: {number} in {graph.decisions.path}.", soft_wrap=True)
    _report(unapplied)


@decide.command()
def undo(
    number: Annotated[int, typer.Argument(min=1, help="The number in `stemma decide list`.")],
    store: StoreOption = "stemma.db",
) -> None:
    """Undo a decision; the numbers of later ones decrease by one.

    Example: `stemma decide undo 3`
    """
    with open_store(store) as graph:
        outcome = deciding.undo(graph, number)
    answers.print(f"Undone: {outcome.decision}.", soft_wrap=True)
    _report(outcome.unapplied, outcome.changes.linked_again)


def _decide(store: str, named: Decision, force: bool = False) -> None:
    """Apply a decision about works that are given by names."""
    with open_store(store) as graph:
        try:
            with graph.snapshot() as reader:
                decisions = deciding.resolved(reader, named, force)
        except deciding.DoubtfulError as error:
            raise DecisionError(f"{error}. Use --force to override") from None
        for decision in decisions:
            outcome = deciding.decide(graph, decision)
            answers.print(f"Decision {outcome.number}: {decision}.", soft_wrap=True)
            _report(outcome.unapplied, outcome.changes.linked_again)


def _report(unapplied: Iterable[Problem], changed: Collection[str] = ()) -> None:
    if changed:
        answers.print(f"Papers whose statements changed: {len(changed)}.")
    for problem in unapplied:
        warn(f"not applied, or only partially applied: {problem.reason}")
