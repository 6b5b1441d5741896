"""Phrases for questions as they were understood, and for answers."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from stemma.graph import PageOrder, Reader, Work
from stemma.graph.filters import Years
from stemma.schema import Entity, EntityKind, Paper, PartialDate, RelationType, Statement
from stemma.server.views.wording import readable

_NAMED = 6
ORDERS = {
    PageOrder.PAPERS: "by the number of papers that name them",
    PageOrder.NEWEST: "the newest first",
    PageOrder.PUBLISHED: "the oldest first",
}
"""How works are listed."""
ABOUT = tuple(relation for relation in RelationType if relation is not RelationType.MENTIONS)
"""The relations of a paper to what it is about: all but a mere mention."""
_VERBS = {
    RelationType.INTRODUCES: ("introduce", "introduces"),
    RelationType.BUILDS_ON: ("build on", "builds on"),
    RelationType.IMPROVES_ON: ("improve on", "improves on"),
    RelationType.COMPARES_WITH: ("compare with", "compares with"),
    RelationType.USES: ("use", "uses"),
    RelationType.RUNS_ON: ("run on", "runs on"),
    RelationType.EVALUATED_ON: ("are evaluated on", "is evaluated on"),
    RelationType.MENTIONS: ("mention", "mentions"),
}
_PLURALS = {
    EntityKind.HARDWARE: "hardware",
    EntityKind.FRAMEWORK: "frameworks",
    EntityKind.TECHNIQUE: "techniques",
    EntityKind.MODEL: "models",
    EntityKind.DATASET: "datasets",
}


def appeared(entity: Entity, called: str, papers: Iterable[Paper] = ()) -> str:
    """Return a sentence, after others, that says when an entity appeared, if the catalogue knows.

    It says nothing where one of the `papers` that introduce the entity has no later date.
    """
    years = [each.published.year for each in papers if each.published and each.published.year]
    if not entity.year or any(year <= entity.year for year in years):
        return ""
    return f" {called} first appeared in {entity.year}, according to the catalogue."


def verbs(relations: Collection[RelationType], one: bool = False, negated: bool = False) -> str:
    """Return what papers do by any of these relations: "use or build on"; or what `one` does.

    Or, `negated`, what they do not do: "do not use or build on".
    """
    if not relations or len(relations) == len(RelationType):
        found = [("name", "names")]
    elif set(relations) == set(ABOUT):
        found = [("are about", "is about")]
    else:
        found = [_VERBS[relation] for relation in relations]
    if not negated:
        return joined([each[one] for each in found], "or")
    done = [many for many, _ in found if not many.startswith("are ")]
    suffered = [many.removeprefix("are ") for many, _ in found if many.startswith("are ")]
    return " and ".join(
        f"{words[one]} not {joined(parts, 'or')}"
        for words, parts in ((("do", "does"), done), (("are", "is"), suffered))
        if parts
    )


def plural(kinds: Collection[EntityKind], otherwise: str = "works") -> str:
    """Return what entities of these kinds are called."""
    return " and ".join(_PLURALS[kind] for kind in kinds) or otherwise


def counted(number: int, plural_noun: str, more: bool = False) -> str:
    """Return "one paper", "3 papers", "no papers", "at least 3 papers"."""
    if number == 1 and not more:
        noun = {"entities": "entity", "hardware": "piece of hardware"}.get(plural_noun)
        return f"one {noun or plural_noun.removesuffix('s')}"
    if plural_noun == "hardware" and number:
        plural_noun = "pieces of hardware"
    return f"{'at least ' if more else ''}{f'{number:,}' if number else 'no'} {plural_noun}"


def within(years: Years) -> str:
    """Return a range of years as it follows a noun: " since 2024"."""
    if years.first is not None and years.last is not None:
        if years.first == years.last:
            return f" in {years.first}"
        return f" from {years.first} to {years.last}"
    if years.first is not None:
        return f" since {years.first}"
    return f" until {years.last}" if years.last is not None else ""


def names(works: Iterable[Work], dates: Mapping[str, PartialDate], beyond: int = 0) -> str:
    """Return some works by name and year: "A (2023), B and 4 more".

    `beyond` counts the works after these, of which further pages have the names.
    """
    listed = list(works)
    # Titles are long.
    most = _NAMED // 2 if all(isinstance(work, Paper) for work in listed) else _NAMED
    shown = [name_with_year(work, dates.get(work.id)) for work in listed[:most]]
    if more := max(0, len(listed) - most) + beyond:
        shown.append(f"{more:,} more")
    return joined(shown, "and")


def joined(parts: Sequence[str], word: str) -> str:
    """Return "a, b and c"."""
    return f" {word} ".join([", ".join(parts[:-1]), *parts[-1:]] if len(parts) > 1 else parts)


def evidence(reader: Reader, statements: Iterable[Statement]) -> str:
    """Return the sentence of the surest statement that has one, with its paper; or nothing."""
    with_evidence = [each for each in statements if each.evidence]
    if not with_evidence:
        return ""
    surest = max(with_evidence, key=lambda each: (each.confidence, len(each.evidence[0].text)))
    paper = reader.works([surest.subject]).get(surest.subject)
    sentence = readable(surest.evidence[0].text.strip())
    if not paper:
        return f" “{sentence}”"
    date = reader.published([paper.id]).get(paper.id)
    return f" “{sentence}” — {name_with_year(paper, date)}."


def quoted(work: Work) -> str:
    """Return a work's name, a title in quotation marks."""
    return f"“{work.name}”" if isinstance(work, Paper) else work.name


def capital(text: str) -> str:
    """Return `text` with a capital first letter."""
    return text[:1].upper() + text[1:]


def name_with_year(work: Work, date: PartialDate | None) -> str:
    """Return a work's name, with its year if that is known: "LoRA (2021)"."""
    year = f" ({date.year})" if date and date.year else ""
    return quoted(work) + year
