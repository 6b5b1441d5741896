"""Questions for what something is."""

from dataclasses import dataclass

from stemma.graph import Reader, Work
from stemma.schema import CATALOGUE_ORIGIN, Entity, EntityKind, Paper, RelationType
from stemma.server.asking import graphql
from stemma.server.asking.answer import Answer, Window
from stemma.server.asking.wording import appeared, evidence, joined, names, quoted

_SHOWN = 4


@dataclass(frozen=True, slots=True)
class IdentityQuestion:
    """What `of` is."""

    of: Work

    @property
    def understood_as(self) -> str:
        return f"what {quoted(self.of)} is"

    @property
    def query(self) -> str:
        return graphql.query(graphql.field("node", graphql.WORK, {"id": self.of.id}))

    def answer(self, reader: Reader, window: Window) -> Answer:
        """Describe it."""
        relations = (RelationType.INTRODUCES, RelationType.BUILDS_ON, RelationType.IMPROVES_ON)
        stated = reader.statements([self.of.id], relations)[self.of.id]
        introducing = [each for each in stated if each.relation is RelationType.INTRODUCES]
        text = (
            self._paper(reader, self.of)
            if isinstance(self.of, Paper)
            else self._entity(reader, self.of, [each.subject for each in introducing])
        )
        parents = [
            each.entity
            for each in stated
            if each.subject == self.of.id and each.origin == CATALOGUE_ORIGIN
        ]
        if parents:
            listed = names(reader.works(parents).values(), {})
            text += f" It builds on {listed}, according to the catalogue."
        return Answer(
            text + evidence(reader, introducing or stated),
            self.query,
            self.understood_as,
            (self.of,),
            tuple(introducing or stated),
            (f"what builds on {quoted(self.of)}?", f"what does {quoted(self.of)} build on?"),
        )

    def _paper(self, reader: Reader, paper: Paper) -> str:
        published = f", published {paper.published}" if paper.published else ""
        stated = reader.statements([paper.id], (RelationType.INTRODUCES,))[paper.id]
        introduced = reader.works([each.entity for each in stated])
        what = f" It introduces {names(introduced.values(), {})}." if introduced else ""
        return f"“{paper.title}” is a paper{published}.{what}"

    def _entity(self, reader: Reader, entity: Entity, papers: list[str]) -> str:
        article = "" if entity.kind is EntityKind.HARDWARE else "a "
        also = f" (also {joined(entity.aliases[:_SHOWN], 'or')})" if entity.aliases else ""
        broader = reader.works(entity.broader)
        case = f", a kind of {names(broader.values(), {})}" if broader else ""
        works = reader.works(papers)
        listed = names(works.values(), reader.published(papers))
        introduced = f" It was introduced by {listed}." if works else ""
        introducing = [each for each in works.values() if isinstance(each, Paper)]
        date = appeared(entity, "It", introducing)
        return f"{entity.name}{also} is {article}{entity.kind.value}{case}.{introduced}{date}"
