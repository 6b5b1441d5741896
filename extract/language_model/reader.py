"""The reader: an extractor whose papers a language model reads as well."""

import os
import sqlite3
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from stemma.extract.extractor import Extractor, problem_with
from stemma.extract.language_model.answers import Answer, Answers
from stemma.extract.language_model.confidences import Confidences
from stemma.extract.language_model.merging import Merging
from stemma.extract.language_model.prompt import messages
from stemma.extract.language_model.proposal import Proposals
from stemma.schema import Extraction, Paper, Problem

if TYPE_CHECKING:
    from stemma.extract.language_model.chat import Chat

KEY = "STEMMA_LLM_KEY"
"""The environment variable with the key of the server, if it needs one."""
_FOLDER = Path(__file__).parent
_MOST_FAILURES = 3
"""Questions in a row without an answer, after which the server is not asked any more."""
_AHEAD = 4
"""Questions that wait for each one that is asked."""


def default_cache() -> Path:
    """Return the file of answers that all builds of a user share."""
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches) / "stemma" / "language-models.sqlite"


@dataclass(slots=True)
class Usage:
    """The outcome of the questions, and their cost.

    Every paper is `asked`, `cached` (answered before) or `unanswered`; every proposal `added` or
    `dropped`, by reason. Tokens count what was asked now.
    """

    asked: int = 0
    cached: int = 0
    unanswered: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    added: int = 0
    dropped: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        parts = [f"{self.asked:,} requested", f"{self.cached:,} cached"]
        if self.unanswered:
            parts.append(f"{self.unanswered:,} without a response")
        reasons = ", ".join(f"{reason} {many:,}" for reason, many in self.dropped.most_common())
        dropped = f"{self.dropped.total():,} dropped" + (f" ({reasons})" if reasons else "")
        return (
            f"Papers: {', '.join(parts)}. Tokens: {self.tokens_in:,} in, {self.tokens_out:,} out. "
            f"Statements: {self.added:,} added, {dropped}."
        )


@dataclass(frozen=True)
class LanguageModel:
    """A model behind an OpenAI-compatible API at `url`, such as ``http://localhost:11434/v1``.

    `requests` are sent at once; an answer may take `seconds`. Answers are kept in the file `cache`.
    """

    url: str
    name: str
    requests: int = 4
    seconds: float = 120.0
    cache: Path = field(default_factory=default_cache)
    confidences: Confidences = field(default_factory=Confidences)

    @property
    def origin(self) -> str:
        """The origin of its statements."""
        return f"llm/{self.name}"

    @cached_property
    def fingerprint(self) -> str:
        """A hash that changes when another paper could come out: model, prompt and checks."""
        digest = sha256(f"{self.name}\n{self.confidences.fingerprint}".encode())
        for file in sorted(_FOLDER.glob("*.py")):
            digest.update(file.read_bytes())
        return digest.hexdigest()[:16]

    def key(self, paper: Paper) -> bytes:
        """Return the key of a question: the same model is asked the same only once."""
        return sha256(repr((self.name, messages(paper))).encode("utf-8", "replace")).digest()


class LanguageModelReader:
    """Reads papers as an extractor does, and also asks a language model about each.

    What the model proposes is kept only if names and quotes occur in the text, and is added to
    what is found without it, with an origin and confidences of its own. A paper without an answer
    is as the extractor alone reads it, and so is its `extractor`: another build asks again.
    `usage` is up to date at any moment.
    """

    def __init__(
        self, extractor: Extractor, model: LanguageModel, usage: Usage | None = None
    ) -> None:
        self._extractor, self.model = extractor, model
        self.usage = Usage() if usage is None else usage
        self.failures = 0
        """Questions without an answer since the last answer."""

    @property
    def is_given_up(self) -> bool:
        """Whether the server is not asked any more."""
        return self.failures >= _MOST_FAILURES

    @cached_property
    def fingerprint(self) -> str:
        """A hash that changes when the same paper could come out differently."""
        return f"{self._extractor.fingerprint}-{self.model.fingerprint}"

    def extract(
        self,
        papers: Iterable[Paper],
        processes: int | None = 1,
        on_problem: Callable[[Problem], object] = lambda problem: None,
    ) -> Iterator[Extraction | Problem]:
        """Yield for each paper, in order, what was found in it, as `Extractor.extract` does.

        `on_problem` is called as well for a paper about which the model gave no usable answer.
        Raises sqlite3.Error or OSError where the file of answers cannot be opened.
        """
        from stemma.extract.language_model.chat import Chat  # noqa: PLC0415 - needs httpx

        model = self.model
        chat = Chat(model.url, model.name, os.environ.get(KEY), model.seconds)
        with closing(chat), closing(Answers(model.cache)) as answers:
            run = _Run(self, chat, answers, on_problem)
            yield from run.extract(self._extractor.extract(papers, processes, on_problem))

    def merging(self, extraction: Extraction) -> Merging:
        """Return what adds proposals to an extraction."""
        model = self.model
        return Merging(extraction, model.confidences, model.origin, self._extractor.concepts)


_Asked = Answer | Future[Answer | None] | None
"""The answer about a paper, or its future; None if nothing is asked."""


@dataclass(slots=True)
class _Run:
    """A run over some papers: later ones are asked about while earlier answers are read."""

    reader: LanguageModelReader
    chat: "Chat"
    answers: Answers
    on_problem: Callable[[Problem], object]

    def extract(self, found: Iterable[Extraction | Problem]) -> Iterator[Extraction | Problem]:
        requests = self.reader.model.requests
        waiting: deque[tuple[Extraction | Problem, _Asked]] = deque()
        threads = ThreadPoolExecutor(requests)
        try:
            for each in found:
                waiting.append((each, self._asked(each, threads)))
                if len(waiting) > requests * _AHEAD:
                    yield self._read(*waiting.popleft())
            while waiting:
                yield self._read(*waiting.popleft())
        finally:
            threads.shutdown(cancel_futures=True)

    def _asked(self, found: Extraction | Problem, threads: ThreadPoolExecutor) -> _Asked:
        if isinstance(found, Problem):
            return None
        if (known := self.answers.get(self.reader.model.key(found.paper))) is not None:
            return known
        return None if self.reader.is_given_up else threads.submit(self._ask, found.paper)

    def _ask(self, paper: Paper) -> Answer | None:
        """Ask, in a thread, unless the server was given up meanwhile."""
        return None if self.reader.is_given_up else self.chat.ask(messages(paper))

    def _read(self, found: Extraction | Problem, asked: _Asked) -> Extraction | Problem:
        if isinstance(found, Problem):
            return found
        usage = self.reader.usage
        if isinstance(asked, Answer):
            answer = asked
            usage.cached += 1
        elif asked is None or (result := self._result(asked, found.paper)) is None:
            usage.unanswered += 1
            return found
        else:
            answer = result
            self._keep(found.paper, answer)
            usage.asked += 1
            usage.tokens_in += answer.tokens_in
            usage.tokens_out += answer.tokens_out
        return self._merged(found, answer)

    def _keep(self, paper: Paper, answer: Answer) -> None:
        model = self.reader.model
        try:
            self.answers.put(model.key(paper), answer)
        except sqlite3.Error as error:
            self._report(
                paper, f"the answer was used, but {model.cache} could not keep it: {error}"
            )

    def _result(self, answer: Future[Answer | None], paper: Paper) -> Answer | None:
        """Wait for an answer; return None and report why if there is none."""
        from stemma.extract.fetching.client import (  # noqa: PLC0415 - needs httpx
            RefusedError,
            UnavailableError,
            host,
        )

        try:
            result = answer.result()
        except (RefusedError, UnavailableError) as error:
            self.reader.failures += 1
            server = host(self.reader.model.url)
            self._report(paper, f"no usable response from the language model: {error} ({server})")
            if self.reader.failures == _MOST_FAILURES:
                why = f"{_MOST_FAILURES} failures in a row"
                self._report(
                    paper, f"the language model is skipped for the rest of this run: {why}"
                )
            return None
        if result is not None:
            self.reader.failures = 0
        return result

    def _merged(self, found: Extraction, answer: Answer) -> Extraction:
        merging, proposals = self.reader.merging(found), Proposals(found.paper)
        try:
            merging.add(proposals.of(answer.content))
        except ValueError as error:
            reason = f"the response from the language model was discarded: {error}"
            self._report(found.paper, reason)
        usage = self.reader.usage
        usage.added += merging.added
        usage.dropped += proposals.dropped + merging.dropped
        return merging.result(self.reader.fingerprint)

    def _report(self, paper: Paper, reason: str) -> None:
        self.on_problem(problem_with(paper, reason, skipped=False))
