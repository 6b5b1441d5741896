"""The parser of questions, trained on questions that were annotated.

``python -m training.questions [--write]`` trains it on most of the questions and prints how many of
the others it parses rightly; with ``--write`` it becomes ``server/asking/parser.npz``.

In ``data/questions.txt`` a question is a line, ``FORMS | text with {role:words}``, as
``data/questions.md`` describes. Names of the catalogue count as known in training; which others
the graph of a user knows is left to chance.
"""

import random
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils import parametrize

from stemma.extract.encoder.trained_model import SHIPPED
from stemma.schema import Catalogue
from stemma.schema.name import match_key
from stemma.server.asking.parser import (
    BLOCK,
    FORMS,
    HEADS,
    LONGEST,
    ROLES,
    SHAPES,
    TAGS,
    WEIGHTS,
    Parser,
    Pieces,
    spans_of,
    split,
    words_of,
)
from training.network import Layer
from training.pretrained import Pretrained

DATA = Path(__file__).with_name("data") / "questions.txt"
SPAN = re.compile(r"\{(\w+):([^{}]+)\}")
_NAMED = frozenset(ROLES[: ROLES.index("author")]) - {"topic", "kind"}
"""Roles of spans that are mostly names."""
_LAYERS, _EPOCHS, _ROUNDED_FROM, _BATCH, _OF_LENGTH, _PARTS = 3, 10, 7, 32, 12, 16
_SEEDS = 1, 2
_RATE, _FASTER, _FORMS_WEIGH = 2e-4, 5.0, 10.0
_LONGEST_NAME = 6


@dataclass(frozen=True, slots=True)
class AnnotatedQuestion:
    """A question's words (start, end, text), the tag of each, whether names are known there, and
    the forms."""

    words: tuple[tuple[int, int, str], ...]
    tags: tuple[int, ...]
    flags: tuple[int, ...]
    forms: frozenset[str]

    @property
    def spans(self) -> list[tuple[str, int, int]]:
        """The spans as role, first and last word."""
        return spans_of(self.tags)


def read(line: str) -> AnnotatedQuestion:
    """Read an annotated question. Raises ValueError where a form or a role is not known."""
    forms, _, marked = line.strip().partition(" | ")
    text, spans, last = "", list[tuple[int, int, str]](), 0
    for match in SPAN.finditer(marked):
        text += marked[last : match.start()]
        spans.append((len(text), len(text) + len(match[2]), match[1]))
        text, last = text + match[2], match.end()
    words = tuple(words_of(text + marked[last:]))
    tags = [0] * len(words)
    for start, end, role in spans:
        inside = [n for n, (a, b, _) in enumerate(words) if a < end and b > start]
        for number in inside:
            tags[number] = TAGS.index(f"{'B' if number == inside[0] else 'I'}-{role}")
    if unknown := set(forms.split()) - set(FORMS):
        raise ValueError(f"unknown forms: {unknown}")
    return AnnotatedQuestion(words, tuple(tags), tuple(_known(words)), frozenset(forms.split()))


def _known(words: Sequence[tuple[int, int, str]]) -> list[int]:
    """Return for each word whether it begins a name of the catalogue (1), or is inside one (2)."""
    flags, start = [0] * len(words), 0
    while start < len(words):
        for end in range(min(len(words), start + _LONGEST_NAME), start, -1):
            key = match_key(" ".join(each for *_, each in words[start:end]))
            if len(key) > 2 and Catalogue.shipped().by_key.get(key):
                flags[start:end] = [1] + [2] * (end - start - 1)
                break
        start = max(start + 1, end)
    return flags


class QuestionNetwork(nn.Module):
    """The network of `Parser` in PyTorch, begun from the first layers of a pretrained encoder."""

    def __init__(self, layers: int = _LAYERS) -> None:
        super().__init__()
        state = Pretrained.installed().state()
        tables = np.load(SHIPPED / "embeddings.npz")
        pieces = tables["piece"].astype(np.float32) * tables["scale"][:, None]
        size = pieces.shape[1]
        self.piece = nn.Embedding.from_pretrained(torch.tensor(pieces))
        self.place = nn.Embedding.from_pretrained(state["place.weight"][:LONGEST].float())
        self.shape, self.flag = nn.Embedding(SHAPES, size), nn.Embedding(3, size)
        for table in (self.shape, self.flag):
            nn.init.normal_(table.weight, std=0.02)
        self.norm = nn.LayerNorm(size, 1e-12)
        self.layers = nn.ModuleList(Layer(size, HEADS, 4 * size) for _ in range(layers))
        self.dropout = nn.Dropout(0.1)
        self.tags, self.forms = nn.Linear(size, len(TAGS)), nn.Linear(2 * size, len(FORMS))
        self.attend = nn.Linear(size, 1)
        kept = {name for name, _ in self.named_parameters()} & state.keys()
        kept -= {"piece.weight", "place.weight"}
        self.load_state_dict({name: state[name].float() for name in kept}, strict=False)

    def forward(self, batch: Sequence[Pieces]) -> tuple[Tensor, Tensor]:
        """Return the scores of the tags, (questions, words, tags), and of the forms."""
        ids, shapes, flags = (
            _padded([getattr(each, name) for each in batch]) for name in ("ids", "shapes", "flags")
        )
        mask = _padded([[1] * len(each.ids) for each in batch]).bool()
        x = self.piece(ids) + self.place.weight[: ids.shape[1]]
        x = self.dropout(self.norm(x + self.shape(shapes) + self.flag(flags)))
        for layer in self.layers:
            x = layer(x, mask[:, None, None, :])
        first = _padded([each.first for each in batch])
        words = x.gather(1, first[..., None].expand(-1, -1, x.shape[-1]))
        weights = self.attend(x).masked_fill(~mask[..., None], -1e4).softmax(1)
        whole = torch.cat([(weights * x).sum(1), x[:, 0]], -1)
        return self.tags(self.dropout(words)), self.forms(self.dropout(whole))

    def rounded(self) -> dict[str, np.ndarray]:
        """Return the weights as `unpacked` reads them: matrices of layers in four bits."""
        held = {name: table.weight for name, table in self.named_children() if name in _TABLES}
        weights = {name: each.detach().numpy().astype(np.float16) for name, each in held.items()}
        for name, parameter in self.named_parameters():
            if name.split(".")[0] in (*_TABLES, "piece"):
                continue
            value = parameter.detach().numpy()
            if name.startswith("layers.") and value.ndim == 2:
                weights |= packed(name, parameter.detach())
            else:
                weights[name] = value.astype(np.float16)
        return weights


_TABLES = ("place", "shape", "flag")


def _padded(rows: Sequence[Sequence[int]]) -> Tensor:
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[0] * (longest - len(row))] for row in rows])


def packed(name: str, weight: Tensor) -> dict[str, np.ndarray]:
    """Return a matrix (outputs, inputs) in four bits, as `unpacked` reads it."""
    steps, scale = _steps(weight)
    four = (steps.numpy() + 8).astype(np.uint8).reshape(len(weight), -1)
    scales = scale.numpy().astype(np.float16)
    return {name: four[:, ::2] | (four[:, 1::2] << 4), f"{name}.scale": scales}


def _steps(weight: Tensor) -> tuple[Tensor, Tensor]:
    """Return a matrix (outputs, inputs) in steps from -8 to 7, and the size of the steps, (outputs,
    inputs / BLOCK)."""
    blocks = weight.unflatten(-1, (-1, BLOCK))
    scale = (blocks.abs().amax(-1) / 7).clamp_min(1e-8).half().float()
    return torch.round(blocks / scale[..., None]).clamp(-8, 7), scale


class FourBits(nn.Module):
    """A weight as it is after rounding to four bits; gradients pass as if nothing were rounded."""

    def forward(self, weight: Tensor) -> Tensor:
        """Return the rounded weight."""
        steps, scale = _steps(weight.detach())
        return weight + ((steps * scale[..., None]).flatten(-2) - weight.detach())


def mean(networks: Sequence[QuestionNetwork]) -> QuestionNetwork:
    """Return the first of some networks of one beginning, with the mean of the weights of all."""
    for values in zip(*(each.parameters() for each in networks), strict=True):
        values[0].data = torch.stack([each.data for each in values]).mean(0)
    return networks[0]


def augmented(
    question: AnnotatedQuestion, chance: random.Random, names: list[str]
) -> AnnotatedQuestion:
    """Return a question in a variant: with other names, in small letters, with misspelt words,
    without signs, and with other names known than the catalogue's."""
    words, tags, flags = [e for *_, e in question.words], [*question.tags], [*question.flags]
    gaps = [
        a > b
        for (a, *_), b in zip(question.words, [-1, *(e[1] for e in question.words)], strict=False)
    ]
    for role, first, last in reversed(question.spans):
        is_name = any(map(str.isupper, "".join(words[first : last + 1])))
        if role in _NAMED and is_name and chance.random() < 0.35:
            other = words_of(chance.choice(names))
            begin, number = tags[first], len(other)
            words[first : last + 1] = [each for *_, each in other]
            tags[first : last + 1] = [begin, *[begin + 1] * (number - 1)]
            flags[first : last + 1] = [1, *[2] * (number - 1)]
            between = [a > b for (a, *_), (_, b, _) in zip(other[1:], other, strict=False)]
            gaps[first : last + 1] = [gaps[first], *between]
    is_lower, has_signs = chance.random() < 0.25, chance.random() > 0.25
    kept, end = list[tuple[tuple[int, int, str], int, int]](), 0
    for word, tag, flag, gap in zip(words, tags, flags, gaps, strict=True):
        if word in ".,?!" and tag == 0 and not has_signs:
            continue
        typed = _misspelt(word, chance) if chance.random() < 0.03 else word
        typed = typed.lower() if is_lower else typed
        start, end = end + gap, end + gap + len(typed)
        kept.append(((start, end, typed), tag, flag))
    spans, own_tags, own_flags = zip(*kept, strict=True)
    made = AnnotatedQuestion(spans, own_tags, own_flags, question.forms)
    return replace(made, flags=tuple(_as_known(made, chance)))


def _misspelt(word: str, chance: random.Random) -> str:
    if len(word) < 5:
        return word
    at = chance.randrange(1, len(word) - 1)
    return chance.choice(
        [
            word[:at] + word[at + 1 :],
            word[:at] + word[at] + word[at:],
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
            word[:at] + chance.choice("aeioustrn") + word[at + 1 :],
        ]
    )


def _as_known(question: AnnotatedQuestion, chance: random.Random) -> Iterator[int]:
    """Yield where names are known: most of those that are asked for, some in topics, few beside."""
    flags = [*question.flags]
    for role, first, last in question.spans:
        text = "".join(word for *_, word in question.words[first : last + 1])
        is_name = any(each.isupper() or each.isdigit() for each in text)
        if role in _NAMED:
            if chance.random() < (0.85 if is_name else 0.6):
                flags[first : last + 1] = [1, *[2] * (last - first)]
            elif chance.random() < 0.3:
                flags[first : last + 1] = [0] * (last - first + 1)
        elif role == "topic" and chance.random() < 0.25:
            begin = chance.randint(first, last)
            end = min(last, begin + chance.choice((0, 0, 1, 2)))
            flags[begin : end + 1] = [1, *[2] * (end - begin)]
    for flag, tag, (*_, word) in zip(flags, question.tags, question.words, strict=True):
        yield 1 if tag == 0 and word.isalpha() and chance.random() < 0.02 else flag


class Course:
    """The training of a network on questions."""

    def __init__(
        self, questions: Sequence[AnnotatedQuestion], seed: int = 1, layers: int = _LAYERS
    ) -> None:
        torch.manual_seed(1)  # Weights can be averaged that had one beginning.
        self.chance, self.questions = random.Random(seed), [*questions]
        self.network = QuestionNetwork(layers)
        self.tokenizer = Tokenizer.from_file(str(SHIPPED / "vocabulary.json"))
        concepts = Catalogue.shipped().concepts.values()
        self.names = sorted(
            e.name for e in concepts if e.name != e.name.lower() and len(e.name) < 25
        )

    def run(self, epochs: int = _EPOCHS) -> None:
        """Train, in the last epochs with weights that are rounded as they will be."""
        network, chance = self.network, self.chance
        kept = [each for each in network.parameters() if each.requires_grad]
        begun = {id(each) for each in (*network.layers.parameters(), *network.norm.parameters())}
        groups = [[e for e in kept if (id(e) in begun) == old] for old in (True, False)]
        rates = [_RATE, _RATE * _FASTER]
        optimizer = torch.optim.AdamW(
            [{"params": own, "lr": rate} for own, rate in zip(groups, rates, strict=True)],
            weight_decay=0.01,
        )
        steps = epochs * -(-len(self.questions) // _BATCH)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rates, steps, pct_start=0.1)
        for epoch in range(epochs):
            if epoch == epochs * _ROUNDED_FROM // _EPOCHS:
                self._round()
            network.train()
            for own in self._batches():
                loss = self._loss([augmented(each, chance, self.names) for each in own])
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(kept, 1.0)
                optimizer.step()
                schedule.step()
            print(f"epoch {epoch + 1} of {epochs}", flush=True)

    def _batches(self) -> list[list[AnnotatedQuestion]]:
        """Return the questions in batches by chance, of those of about one length."""
        self.chance.shuffle(self.questions)
        rooms, found = range(0, len(self.questions), _BATCH * _OF_LENGTH), []
        for room in rooms:
            own = sorted(
                self.questions[room : room + _BATCH * _OF_LENGTH], key=lambda each: len(each.words)
            )
            found += [own[start : start + _BATCH] for start in range(0, len(own), _BATCH)]
        self.chance.shuffle(found)
        return found

    def _round(self) -> None:
        for module in self.network.layers.modules():
            if isinstance(module, nn.Linear):
                parametrize.register_parametrization(module, "weight", FourBits())

    def finish(self) -> dict[str, np.ndarray]:
        """Return the weights that are shipped."""
        for module in self.network.layers.modules():
            if isinstance(module, nn.Linear) and parametrize.is_parametrized(module):
                parametrize.remove_parametrizations(module, "weight")
        self.network.eval()
        return self.network.rounded()

    def _loss(self, questions: Sequence[AnnotatedQuestion]) -> Tensor:
        pieces = [split(self.tokenizer, question.words, question.flags) for question in questions]
        tags, forms = self.network(pieces)
        longest = tags.shape[1]
        wanted = torch.tensor(
            [[*question.tags, *[-1] * (longest - len(question.tags))] for question in questions]
        )
        asked = torch.tensor([[float(each in own.forms) for each in FORMS] for own in questions])
        of_tags = functional.cross_entropy(tags.flatten(0, 1), wanted.flatten(), ignore_index=-1)
        of_forms = functional.binary_cross_entropy_with_logits(forms, asked)
        return of_tags + _FORMS_WEIGH * of_forms


def measure(parser: Parser, questions: Sequence[AnnotatedQuestion]) -> str:
    """Return how much of questions a parser reads as they are annotated."""
    chance, forms, whole = random.Random(2), 0, 0
    met = said = wanted = 0
    for question in questions:
        pieces = split(parser.tokenizer, question.words, [*_as_known(question, chance)])
        tags, scores = parser.read(pieces)
        found = {FORMS[n] for n in np.flatnonzero(scores > 0)} or {FORMS[int(scores.argmax())]}
        spans, own = set(spans_of(tags.argmax(-1).tolist())), set(question.spans)
        met, said, wanted = met + len(spans & own), said + len(spans), wanted + len(own)
        forms += found == question.forms
        whole += found == question.forms and spans == own
    number = max(1, len(questions))
    return (
        f"{number} questions: forms right of {forms / number:.3f}, and all spans of"
        f" {whole / number:.3f}; F1 of spans {2 * met / max(1, said + wanted):.3f}"
    )


def main(write: bool) -> None:
    """Train, measure, and write the weights if asked to."""
    lines = [each for each in DATA.read_text("utf-8").splitlines() if each.strip()]
    questions = [*{line.split(" | ", 1)[1].lower(): read(line) for line in lines}.values()]
    random.Random(0).shuffle(questions)
    held_out, others = questions[::_PARTS], [e for n, e in enumerate(questions) if n % _PARTS]
    file = WEIGHTS if write else Path("build/training/parser.npz")
    file.parent.mkdir(parents=True, exist_ok=True)
    courses = [Course(others, seed) for seed in _SEEDS]
    for course in courses:
        course.run()
        np.savez(file, **course.finish())  # type: ignore[arg-type]
        print(measure(Parser(file), held_out))
    np.savez(file, **mean([each.network for each in courses]).rounded())  # type: ignore[arg-type]
    print("their mean:", measure(Parser(file), held_out))


if __name__ == "__main__":
    main("--write" in sys.argv)
