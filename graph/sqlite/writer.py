"""The writer: gathers papers, and commits them in one transaction."""

from collections.abc import Collection, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace

from stemma.distribution import version
from stemma.garbage import no_garbage
from stemma.graph.history import Changes, Relinked, StoredPaper
from stemma.graph.linked_extraction import LinkedExtraction, canonical, claims_of, encodable
from stemma.graph.linking import link
from stemma.graph.linking.contradiction import Claim, verdict_rows
from stemma.graph.linking.linked_entity import Links
from stemma.graph.linking.naming import PaperNames, content_words, names_of
from stemma.graph.linking.relinking import Relinking
from stemma.graph.rdf.graphs import catalogued_aliases
from stemma.graph.reader import WorkType
from stemma.graph.sqlite import change_log
from stemma.graph.sqlite.index import IndexWriter, create_tables, insert_all
from stemma.graph.sqlite.paper_record import (
    Buffer,
    compressed,
    paper_in,
    record_of,
    texts,
    unpacked,
)
from stemma.graph.sqlite.reader import Memory, SqliteReader
from stemma.graph.sqlite.store_file import StoreFile, damage_as_store_error, latest_commit, sign
from stemma.schema import Catalogue, Decision, DecisionError, Extraction, Paper
from stemma.schema.catalogue import fingerprint as shipped_fingerprint
from stemma.schema.decision_file import DecisionText, to_toml

MOST_CHANGED = 0.1
"""The share of changed papers beyond which it is faster to link all papers again."""


@dataclass(frozen=True, slots=True)
class _Pending:
    """A paper that waits for the commit."""

    place: int
    names: PaperNames
    extractor: str
    digest: bytes
    vector: bytes

    def extraction(self, record: bytes) -> Extraction:
        """Return what was read in the paper, from its record."""
        return replace(unpacked(record), extractor=self.extractor, vector=self.vector)


class Writer:
    """Changes the graph in a file; readers see nothing of it before `commit`.

    People's decisions are read when a writer is opened and at each commit. DecisionError is raised
    where they cannot be. `catalogue` is what names are linked with: if none is given, the shipped
    one with what was added to it before.

    A transaction is open from the beginning to the end, so that nobody else writes; each commit
    ends one and begins the next.
    """

    def __init__(self, file: StoreFile, catalogue: Catalogue | None) -> None:
        self._file, self._given_catalogue = file, catalogue
        self._decision_file = file.decisions
        self._buffer = Buffer()
        """The records of papers that wait."""
        self._clear()
        self._db = file.open_to_write()
        try:
            self._file.begin(self._db)
            self._builds = change_log.BuildLog(self._db, initial=not self._file.is_filled(self._db))
            self._read_last_commit()
            # A writer may have died before it could write down what it had decided.
            if not self._is_new:
                before = self._before
                replaced = before.meta("decision_file_replaced")
                self._decision_file.settle(before.meta("decision_file"), replaced)
            self._decision_file.read()  # Report those that cannot be read before any work is done.
        except BaseException:
            self.close()
            raise

    def _clear(self) -> None:
        """Begin with nothing that waits."""
        self._buffer.clear()
        self._pending: dict[str, _Pending] = {}
        self._dropped: set[str] = set()
        self._marks = set[tuple[str, str, str]]()
        self._decided: DecisionText | None = None
        self._new_decision = 0

    def _read_last_commit(self) -> None:
        """See the last commit, in the transaction that has begun; a new file gets its tables."""
        self._is_new = not self._file.is_filled(self._db)
        if self._is_new:
            create_tables(self._db)
        self._before = SqliteReader(self._db, Memory(latest_commit(self._db)), self._file)
        self._catalogue = self._given_catalogue or self._before.extended_catalogue()

    def close(self) -> None:
        """Release everything; what was not committed is dropped."""
        self._buffer.close()
        self._db.close()

    # What the graph holds.

    def stored(self, ids: Collection[str]) -> dict[str, StoredPaper]:
        """Return the papers with these ids that the graph holds."""
        held = self._before.works([id_ for id_ in ids if id_ not in self._pending])
        found = {}
        for id_ in ids:
            if waiting := self._pending.get(id_):
                found[id_] = StoredPaper(
                    paper_in(self._buffer.get(waiting.place)), waiting.extractor
                )
            elif isinstance(work := held.get(id_), Paper) and (read := self._reading(id_)):
                found[id_] = StoredPaper(work, read[1])
        return found

    def _reading(self, id_: str) -> tuple[bytes, str] | None:
        """Return the digest of what was read in a paper, and the extractor, if it is to stay."""
        return None if id_ in self._dropped else self._before.digest_of(id_)

    def extraction(self, id_: str) -> Extraction:
        """Return the extraction of a paper that the graph holds. Raises LookupError."""
        if waiting := self._pending.get(id_):
            return waiting.extraction(self._buffer.get(waiting.place))
        if self._reading(id_) is None:
            raise LookupError(f"the graph does not contain {id_}")
        return self._before.reading(id_).extraction

    def known_as(self, key: str) -> Sequence[str]:
        """Return the papers (ids) of the graph, without those that wait, that go by a key.

        Keys are DOIs, arXiv ids and titles, as `identity.keys_of` returns them.
        """
        return self._before.known_as(key)

    # What is to change.

    def put(self, extractions: Iterable[Extraction], extractor: str) -> None:
        """Add papers with all that was found in them, replacing their former statements."""
        for given in extractions:
            extraction = canonical(given)
            id_ = extraction.paper.id
            try:
                record, digest = record_of(extraction)
            except UnicodeEncodeError:
                extraction = encodable(extraction)
                record, digest = record_of(extraction)
            self._dropped.discard(id_)
            if self._reading(id_) == (digest, extractor):
                self._pending.pop(id_, None)
                continue
            place = self._buffer.put(compressed(record))
            told = extractor, digest, extraction.vector
            self._pending[id_] = _Pending(place, names_of(extraction), *told)

    def update(self, papers: Iterable[Paper]) -> None:
        """Change what sources say of papers whose texts stay as they are."""
        for paper in papers:
            extraction = self.extraction(paper.id)
            self.put([replace(extraction, paper=paper)], extraction.extractor)

    def drop(self, ids: Collection[str]) -> None:
        """Remove papers, and facts that only they support. Unknown ids are ignored."""
        for id_ in ids:
            self._pending.pop(id_, None)
            if self._before.digest_of(id_):
                self._dropped.add(id_)

    def mark_read(self, file: str, sha256: str, reading: str) -> None:
        """Remember that a file was read completely.

        `reading` is a fingerprint of how it was read.
        """
        self._marks.add((file, sha256, reading))

    def decide(self, decision: Decision) -> int:
        """Add a decision, and return its number.

        The commit writes it to the file, or raises DecisionError where it does not apply.
        """
        self._decided = self._decisions().appended(decision)
        self._new_decision = len(self._decided.decisions)
        return self._new_decision

    def undo(self, number: int) -> Decision:
        """Undo a decision, and return it; those after it move up by one.

        It is removed from the file with the commit. Raises DecisionError.
        """
        before = self._decisions()
        self._decided, self._new_decision = before.without(number), 0
        return before.decisions[number - 1]

    def _decisions(self) -> DecisionText:
        """Return what people decided, and what was decided here."""
        return self._decided or self._decision_file.text()

    # The commit.

    def commit(self) -> Changes:
        """Link, and show readers what changed since the last commit, if anything did."""
        for reading in {mark[2] for mark in self._marks}:
            known = self._before.already_read(reading)
            self._marks -= {(file, sha256, reading) for file, sha256 in known}
        decisions = self._decisions()
        if not (
            self._pending
            or self._dropped
            or self._marks
            or self._decided
            or self._is_outdated(decisions)
        ):
            return Changes()
        staged = self._decision_file.staged(decisions) if self._decided else nullcontext()
        try:
            with damage_as_store_error(self._file.path), staged, no_garbage():
                changes = self._write(decisions)
                self._file.commit(self._db)
                self._clear()
        finally:  # What could not be committed goes on waiting.
            if self._db.in_transaction:  # SQLite itself gives up where the disk is full.
                self._db.execute("ROLLBACK")
            self._file.tidy(self._db)
            self._file.begin(self._db)
            self._read_last_commit()
        return changes

    def _is_outdated(self, decisions: DecisionText) -> bool:
        """Return whether the graph was made with another catalogue or other decisions."""
        if self._is_new:
            return False
        own = self._catalogue.fingerprint if self._catalogue else shipped_fingerprint()
        additions = list(self._catalogue.additions) if self._catalogue else []
        before = self._before
        made_with = before.meta("decision_file"), before.catalogue, before.additions()
        return made_with != (decisions.fingerprint, own, additions)

    def _write(self, decided: DecisionText) -> Changes:
        """Write all in the transaction."""
        catalogue = self._catalogue or Catalogue.shipped()
        if not self._is_new:
            change_log.watch(self._db)
        index = IndexWriter(self._db, catalogue)
        if self._is_new:
            index.put_meta(base=self._file.new_base)
            sign(self._db)
        changes, links = self._link(index, catalogue, decided.decisions)
        if reason := links.unapplied.get(self._new_decision):
            raise DecisionError(f"This decision has no effect: {reason}.")
        kept = {id_: v for id_, v in self._before.verdicts.items() if id_ not in self._dropped}
        verdicts = sorted({**kept, **links.verdicts}.items())
        index.put_meta(
            linked_by=version(),
            catalogue=catalogue.fingerprint,
            additions=[addition.to_json() for addition in catalogue.additions],
            verdicts={id_: verdict_rows(own) for id_, own in verdicts if own},
            former=links.former,
            unapplied=sorted(links.unapplied.items()),
            referred=sorted(links.referred),
            decision_file=decided.fingerprint,
            decision_file_replaced=decided.replaced,
            decision_tables=list(map(to_toml, decided.decisions)),
        )
        for id_ in (*changes.removed, *changes.updated):
            index.clear_paper(id_)
        for id_ in changes.linked_again:
            index.clear_statements(id_)
        # Entities come first: papers refer to them.
        index.put_entities(links.entities)
        index.put_facts(links.facts)
        index.put_concepts(catalogued_aliases(links.entities, catalogue))
        self._write_papers(index, links, changes.linked_again)
        index.remove_works(sorted({*changes.removed, *links.gone}))
        insert_all(self._db, "reading", sorted(self._marks))
        index.finish()
        told = [self._before.base, version(), catalogue.fingerprint, decided.fingerprint]
        told += sorted(
            f"{pending.extractor} {pending.digest.hex()}" for pending in self._pending.values()
        )
        content = " ".join([*told, *sorted(self._dropped)]).encode()
        number = change_log.record(self._db, self._is_new, content)
        self._builds.record(changes, f"{number:06}")
        return changes

    def _link(
        self, index: IndexWriter, catalogue: Catalogue, decisions: Sequence[Decision]
    ) -> tuple[Changes, Links]:
        before = self._before
        updated = {id_ for id_ in self._pending if before.digest_of(id_)}
        changes = Changes(
            sorted(self._pending.keys() - updated), sorted(updated), sorted(self._dropped)
        )
        gone, kept = {*changes.removed, *changes.updated}, index.names
        new = [waiting.names for waiting in self._pending.values()]
        if (
            kept.is_kept
            and len(gone) + len(changes.added) <= MOST_CHANGED * before.statistics().papers
        ):
            asked = catalogue, self._context, self._stated, decisions, before.verdicts
            links = Relinking(kept, gone, new, *asked).links()
            held = {id_: ids for id_, (_, ids) in kept.papers(links.ids.keys() - gone).items()}
        else:
            papers = {id_: each for id_, each in kept.all_papers() if id_ not in gone}
            names = [*(names for names, _ in papers.values()), *new]
            links = link(names, catalogue, self._context, decisions, self._stated)
            links = replace(
                links, gone=set(before.all_ids(WorkType.ENTITY)) - links.entities.keys()
            )
            held = {id_: ids for id_, (_, ids) in papers.items()}
        for id_, ids in sorted(held.items()):
            changes.relinked += [
                Relinked(id_, name, entity, links.ids[id_][name])
                for name, entity in sorted(ids.items())
                if links.ids[id_][name] != entity
            ]
            if links.verdicts[id_] != before.verdicts.get(id_, {}):
                changes.decided.append(id_)
        return changes, links

    def _context(self, id_: str) -> frozenset[str]:
        """Return the words of a paper, as linking needs them."""
        if waiting := self._pending.get(id_):
            return content_words(texts(self._buffer.get(waiting.place)))
        return content_words(self._before.texts(id_))

    def _stated(self, id_: str) -> dict[Claim, str | None]:
        """Return what a paper states, as linking needs it."""
        return claims_of(self.extraction(id_))

    def _write_papers(self, index: IndexWriter, links: Links, again: Iterable[str]) -> None:
        """Write the papers that changed, and what is true now of those that are linked `again`."""

        def linked(extraction: Extraction) -> LinkedExtraction:
            id_ = extraction.paper.id
            return LinkedExtraction(extraction, links.ids[id_], links.verdicts[id_])

        for _, waiting in sorted(self._pending.items()):
            record = self._buffer.get(waiting.place)
            extraction = waiting.extraction(record)
            index.put_paper(linked(extraction), waiting.names, waiting.digest, record)
        for reading in map(linked, map(self.extraction, again)):
            index.put_statements(reading, names_of(reading.extraction))
