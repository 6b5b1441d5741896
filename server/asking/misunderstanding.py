"""Answers to questions that are not understood, or have unknown names."""

from stemma.graph import AmbiguousNameError, Reader, UnknownNameError, Work
from stemma.graph.searching import works_called
from stemma.schema import Entity
from stemma.server.asking import graphql
from stemma.server.asking.answer import Answer
from stemma.server.asking.grammar import grammar
from stemma.server.asking.interpretation import FailedInterpretation, QuestionInterpreter
from stemma.server.asking.suggestion import about, nearest_suggestions, suggestions
from stemma.server.asking.wording import joined
from stemma.server.asking.words import Span, Word, name_of, words_of

_MOST_WORDS_TRIED = 12
_MOST_CANDIDATES = 20
_MOST_LEFT_OUT = 3
_DO = {"do", "does", "did"}
_DANGLING = {"of", "on", "in", "for", "with", "to", "by", "and", "or"}


def misunderstood(reader: Reader, words: Span, failed: FailedInterpretation) -> Answer:
    """Say which part was not understood, or which name is unknown."""
    rules = grammar()
    interpreter = QuestionInterpreter(rules, reader)
    note = ""
    if unsupported := rules.unsupported(words):
        why, said, rest = unsupported
        reason = why or f"A question with “{said}” is not supported."
        note = f"{reason} "
        # "What does it not use" is "what does it use", "papers that do not use it" is not.
        for positive in (rest, tuple(word for word in rest if word.key not in _DO)):
            if _can_be_read(interpreter, positive):
                others = nearest_suggestions(reader, words) if why else ()
                return unanswered(reader, reason, (name_of(positive), *others))
    unknown = name_of(failed.unknown)
    if failed.name:
        name = name_of(failed.name)
        left = name_of(failed.left)
        text = f"{note}I know “{name}”, but I do not understand “{left}”."
        if failed.parse is None:
            text = f"{note}I know “{name}”, but I do not understand the question."
            asked = _shorter(interpreter, words)
            return unanswered(reader, text, tuple(dict.fromkeys((*asked, *_about(reader, name)))))
        without = _in_place(words, failed.unknown, name)
        asked = (without,) if not note and _can_be_read(interpreter, words_of(without)) else ()
        if asked and len(failed.left) > 1 and failed.left[0].key == "or":
            text = f"A question with “or” is not supported: I do not understand “{left}”."
            other = _in_place(words, failed.unknown, name_of(failed.left[1:]))
            asked += (other,) if _can_be_read(interpreter, words_of(other)) else ()
        return unanswered(reader, text, tuple(dict.fromkeys((*asked, *_about(reader, name)))))
    is_name = any(
        word.key not in rules.vocabulary and not _is_number(word) for word in failed.unknown
    )
    if (failed.parse is None and len(words) > 3) or not is_name:
        text = note.strip() or "I do not understand the question."
        asked = (*_shorter(interpreter, words), *nearest_suggestions(reader, words))
        return unanswered(reader, text, asked)
    try:
        reader.resolve(unknown)
    except UnknownNameError as error:
        return _unknown(reader, unknown, error, words, failed, note)
    return unanswered(
        reader, f"{note}I do not understand the question.", nearest_suggestions(reader, words)
    )


def _about(reader: Reader, name: str) -> tuple[str, ...]:
    """Return what may be asked of a work, by its usual name: GPU rather than GPUs."""
    try:
        id_ = reader.resolve(name)
    except (AmbiguousNameError, UnknownNameError):
        return about(name)
    return about(reader.works([id_])[id_].name)


def _is_number(word: Word) -> bool:
    return word.key is not None and word.key.isdecimal()


def _can_be_read(interpreter: QuestionInterpreter, words: Span) -> bool:
    return (
        0 < len(words) <= _MOST_WORDS_TRIED
        and words[0].key not in _DANGLING
        and interpreter.understands(words)
    )


def _shorter(interpreter: QuestionInterpreter, words: Span) -> tuple[str, ...]:
    """Return the question without some words that the grammar does not know, if that helps."""
    known = grammar().vocabulary
    for length in range(1, _MOST_LEFT_OUT + 1):
        for start in range(len(words) - length + 1):
            rest = words[:start] + words[start + length :]
            out = words[start : start + length]
            if any(word.key in known for word in out) or not _can_be_read(interpreter, rest):
                continue
            return (name_of(rest),)
    return ()


def _unknown(
    reader: Reader,
    name: str,
    error: UnknownNameError,
    words: Span,
    failed: FailedInterpretation,
    note: str,
) -> Answer:
    works = tuple(works_called(reader, error.nearest))
    text = f"{note}Nothing in this graph is called “{name}”."
    others = tuple(each for own in failed.known for each in _about(reader, name_of(own)))
    if not works:
        return unanswered(reader, text, others or nearest_suggestions(reader, words))
    meant = joined([work.name for work in works], "or")
    asked = [
        _in_place(words, failed.unknown, work.name) if not note else f"what is {work.name}?"
        for work in works[:3]
    ]
    return Answer(
        f"{text} Did you mean {meant}?",
        graphql.works([work.id for work in works]),
        works=works,
        suggestions=(*asked, *others),
    )


def ambiguous(error: AmbiguousNameError, words: Span) -> Answer:
    """List the works that a name may mean."""
    candidates = tuple(error.candidates[:_MOST_CANDIDATES])
    listed = joined([_described(work) for work in candidates], "or")
    name = words_of(error.name)
    return Answer(
        f"“{error.name}” is the name of {len(error.candidates)} works: {listed}. Ask for one by "
        "its id.",
        graphql.works([work.id for work in candidates]),
        works=candidates,
        suggestions=tuple(_in_place(words, name, work.id) for work in candidates[:5]),
    )


def _described(work: Work) -> str:
    what = work.kind.value if isinstance(work, Entity) else "paper"
    return f"{work.name}, a {what} ({work.id})"


def unanswered(reader: Reader, text: str, asked: tuple[str, ...]) -> Answer:
    """Say why there is no answer, and suggest questions."""
    return Answer(text, graphql.works([]), suggestions=asked or suggestions(reader))


def _in_place(words: Span, old: Span, new: str) -> str:
    """Return the question with `new` in place of `old`."""
    keys = [word.key for word in words]
    sought = [word.key for word in old]
    for start in range(len(words) - len(old) + 1):
        if keys[start : start + len(old)] == sought:
            parts = [*words[:start], Word(new, None), *words[start + len(old) :]]
            return name_of((*parts, Word("?", None))).replace(" ?", "") + "?"
    return f"what is {new}?"
