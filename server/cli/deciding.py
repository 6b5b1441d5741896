"""The commands of `stemma decide`, by which people correct a graph."""

from typing import Annotated

import typer

from stemma.graph import AmbiguousNameError, Reader, UnknownNameError, open_store
from stemma.schema import (
    Catalogue,
    ChangeKind,
    Confirm,
    Decision,
    EntityKind,
    Merge,
    Paper,
    Reject,
    RelationType,
    Rename,
    Split,
)
from stemma.schema.decision_text import to_json
from stemma.schema.identifier import ENTITY, PAPER
from stemma.schema.name import match_key
from stemma.server import deciding
from stemma.server.cli.options import DataFormat, FormatOption, StoreOption
from stemma.server.cli.terminal import answers, complain, print_json, remarks

app = typer.Typer(
    name="decide",
    help="Correct the graph; decisions also apply to all later builds.\n\n"
    "Decisions are kept in a file beside the store (stemma.db.decisions.toml), which you can "
    "edit; they are applied in its order.\n\n"
    'Example: `stemma decide merge FlashAttention-2 "FlashAttention v2" --note "two spellings"`',
    no_args_is_help=True,
    rich_markup_mode="markdown",
)
EntityArgument = Annotated[str, typer.Argument(help="An entity, in any spelling, or its id.")]
SubjectArgument = Annotated[
    str,
    typer.Argument(help="The paper with the statement, or what it introduces; a name or an id."),
]
RelationArgument = Annotated[
    RelationType, typer.Argument(help="The relation.", case_sensitive=False)
]
NoteOption = Annotated[str | None, typer.Option("--note", "-n", help="The reason.")]


@app.command()
def merge(
    entities: Annotated[
        list[str],
        typer.Argument(help="Entities to merge into the first one, which keeps its name and id."),
    ],
    force: Annotated[
        bool, typer.Option("--force", help="Also merge entities of different kinds.")
    ] = False,
    store: StoreOption = "stemma.db",
    note: NoteOption = None,
) -> None:
    """Merge several entities into one; entities of different kinds need `--force`.

    Example: `stemma decide merge FlashAttention-2 "FlashAttention v2"`
    """
    with open_store(store) as graph, graph.snapshot() as reader:
        ids = list(dict.fromkeys(_entity_or_concept(reader, each) for each in entities))
        kinds = _kinds(reader, ids)
    if len(set(kinds.values())) > 1 and not force:
        listed = ", ".join(f"{id_} is {_a(kind)}" for id_, kind in kinds.items())
        complain(
            f"these entities have different kinds: {listed}. To merge them anyway, add --force"
        )
        raise typer.Exit(1)
    if len(ids) < 2:
        complain(f"these names mean the same entity already, {ids[0]}")
        raise typer.Exit(1)
    _decide(Merge(tuple(ids), note), store)


@app.command()
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
    """Split an entity: some papers mean something else by its name.

    Example: `stemma decide split LoRA --paper "Punica: Multi-Tenant LoRA Serving"`
    """
    with open_store(store) as graph, graph.snapshot() as reader:
        id_, ids = _entity(reader, entity), tuple(_paper(reader, each) for each in papers)
    _decide(Split(id_, ids, name, note), store)


@app.command()
def rename(
    entity: EntityArgument,
    name: Annotated[str, typer.Argument(help="The new name.")],
    force: Annotated[
        bool, typer.Option("--force", help="Even if another entity has this name.")
    ] = False,
    store: StoreOption = "stemma.db",
    note: NoteOption = None,
) -> None:
    """Rename an entity; it keeps its id, and the old name as an alias.

    Example: `stemma decide rename "Orca serving system" Orca`
    """
    with open_store(store) as graph, graph.snapshot() as reader:
        id_ = _entity(reader, entity)
        others = [] if force else [each for each in _named(reader, name) if each != id_]
    if others:
        complain(
            f"{name!r} is the name of {' and '.join(others)}. If they are the same, run "
            f"`stemma decide merge {others[0]} {id_}`; otherwise, add --force"
        )
        raise typer.Exit(1)
    _decide(Rename(id_, name, note), store)


@app.command()
def kind(
    entity: EntityArgument,
    kind: Annotated[EntityKind, typer.Argument(help="The kind.", case_sensitive=False)],
    store: StoreOption = "stemma.db",
    note: NoteOption = None,
) -> None:
    """Change the kind of an entity.

    Example: `stemma decide kind LSP-Offload framework`
    """
    with open_store(store) as graph, graph.snapshot() as reader:
        id_ = _entity(reader, entity)
    _decide(ChangeKind(id_, kind, note), store)


@app.command()
def reject(
    subject: SubjectArgument,
    relation: RelationArgument,
    entity: EntityArgument,
    store: StoreOption = "stemma.db",
    note: NoteOption = None,
) -> None:
    """Reject a statement, even if it is extracted again.

    Example: `stemma decide reject FlashInfer BUILDS_ON FlashAttention-2 --note "only a template"`
    """
    with open_store(store) as graph, graph.snapshot() as reader:
        statement = _statement(reader, subject, relation, entity)
    _decide(Reject(*statement, note), store)


@app.command()
def confirm(
    subject: SubjectArgument,
    relation: RelationArgument,
    entity: EntityArgument,
    store: StoreOption = "stemma.db",
    note: NoteOption = None,
) -> None:
    """Confirm a statement: its confidence becomes 1.

    Example: `stemma decide confirm Fuyou IMPROVES_ON ZeRO-Infinity`
    """
    with open_store(store) as graph, graph.snapshot() as reader:
        statement = _statement(reader, subject, relation, entity)
    _decide(Confirm(*statement, note), store)


@app.command(name="list")
def list_(store: StoreOption = "stemma.db", format: FormatOption = DataFormat.TEXT) -> None:
    """List the decisions with their numbers.

    Example: `stemma decide list`
    """
    with open_store(store) as graph:
        graph.statistics()
        decisions, unapplied = graph.decisions.read(), graph.unapplied()
        current = not graph.lacks_decisions()
    if format is DataFormat.JSON:
        print_json(
            [
                {"number": number, **to_json(each), "unapplied": unapplied.get(number)}
                for number, each in enumerate(decisions, start=1)
            ]
        )
    else:
        for number, each in enumerate(decisions, start=1):
            answers.print(f"{number}  {each}", markup=False, soft_wrap=True)
            if each.note:
                answers.print(f"   {each.note}", markup=False, style="dim", soft_wrap=True)
            if current and (reason := unapplied.get(number)):
                answers.print(f"   does not apply: {reason}", markup=False, style="yellow")
        if not decisions:
            remarks.print(f"There are no decisions on {graph.url}.", markup=False)
    if not current:
        remarks.print("The file has changed; the next `stemma build` applies it.")


@app.command()
def undo(
    number: Annotated[int, typer.Argument(min=1, help="The number in `stemma decide list`.")],
    store: StoreOption = "stemma.db",
) -> None:
    """Undo a decision; the numbers of later ones decrease by one.

    Example: `stemma decide undo 3`
    """
    with open_store(store) as graph:
        outcome = deciding.undo(graph, number)
    answers.print(f"Undone: {outcome.decision}.", markup=False, soft_wrap=True)
    _print_outcome(outcome)


def _decide(decision: Decision, store: str) -> None:
    with open_store(store) as graph:
        outcome = deciding.decide(graph, decision)
    answers.print(f"Decision {outcome.number}: {decision}.", markup=False, soft_wrap=True)
    _print_outcome(outcome)


def _print_outcome(outcome: deciding.Outcome) -> None:
    changes = outcome.changes
    papers = {each.paper for each in changes.relinked} | set(changes.decided)
    if papers:
        answers.print(f"Papers whose statements changed: {len(papers)}.")
    if outcome.unapplied:
        remarks.print("[yellow]warning:[/] ", end="")
        remarks.print(f"it does not apply, or only in part: {outcome.unapplied}", markup=False)


def _entity(reader: Reader, name: str) -> str:
    found = reader.resolve(name)
    if not found.startswith(ENTITY):
        raise LookupError(f"{name!r} is a paper, {found}; this decision needs an entity.")
    return found


def _entity_or_concept(reader: Reader, name: str) -> str:
    """Return an entity's id, or that of a concept that no paper here calls by its name."""
    try:
        return _entity(reader, name)
    except UnknownNameError:
        catalogue = Catalogue.shipped()
        named = catalogue.by_key.get(match_key(name), ())
        ids = [name] if name in catalogue.concepts else [each.id for each in named]
        if len(ids) != 1:
            raise
        return ids[0]


def _kinds(reader: Reader, ids: list[str]) -> dict[str, EntityKind]:
    """Return the kinds of entities, some of which may stand in the catalogue alone."""
    works, concepts = reader.works(ids), Catalogue.shipped().concepts
    found = {id_: works.get(id_) or concepts[id_] for id_ in ids}
    return {id_: each.kind for id_, each in found.items() if not isinstance(each, Paper)}


def _a(kind: EntityKind) -> str:
    return kind.value if kind is EntityKind.HARDWARE else f"a {kind.value}"


def _named(reader: Reader, name: str) -> list[str]:
    """Return the ids of the works that have this name."""
    try:
        return [reader.resolve(name)]
    except AmbiguousNameError as error:
        return [each.id for each in error.candidates]
    except UnknownNameError:
        return []


def _paper(reader: Reader, title: str) -> str:
    found = reader.resolve(title)
    if not found.startswith(PAPER):
        raise LookupError(f"{title!r} is an entity, {found}; give the title or the id of a paper.")
    return found


def _statement(
    reader: Reader, subject: str, relation: RelationType, entity: str
) -> tuple[str, RelationType, str]:
    """Return the statement of a paper, or of a paper that introduces the subject."""
    about, object_ = reader.resolve(subject), _entity(reader, entity)
    statements = reader.statements([about]).get(about, [])
    papers = {
        each.subject
        for each in statements
        if each.relation is RelationType.INTRODUCES and each.entity == about
    }
    sayings = [
        each
        for one in reader.statements([about, *papers]).values()
        for each in one
        if each.entity == object_ and each.subject in {about, *papers}
    ]
    found = sorted({each.subject for each in sayings if each.relation is relation})
    if len(found) > 1:
        raise LookupError(
            f"Several papers have this statement; give one of these ids: {', '.join(found)}."
        )
    if not found:
        others = sorted({each.relation.value for each in sayings})
        instead = f"; its statements are {', '.join(others)}" if others else ""
        raise LookupError(
            f"No statement in this graph says that {about} {relation.value} {object_}{instead}."
        )
    return found[0], relation, object_
