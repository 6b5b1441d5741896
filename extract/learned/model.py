"""The trained model, whole, and its file."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from zipfile import ZIP_LZMA, ZipFile, ZipInfo

import numpy as np

from stemma.extract.learned import linear
from stemma.extract.learned.corpus import CorpusStatistics
from stemma.extract.learned.lexicon import KnownNames, Lexicon
from stemma.extract.learned.packing import joined, packed, split, unpacked
from stemma.extract.learned.recogniser import Recogniser
from stemma.extract.learned.relater import Relater
from stemma.extract.learned.tagger import Tagger
from stemma.extract.learned.trees import Trees
from stemma.schema import Catalogue

FILE = Path(__file__).with_name("model.npz")
FORMAT = 3


@dataclass(slots=True)
class Model:
    """Everything that is trained."""

    recogniser: Recogniser
    relater: Relater

    @classmethod
    @lru_cache(maxsize=1)
    def shipped(cls) -> "Model":
        """Return the model that comes with Stemma, which knows the names of its catalogue."""
        return cls.load(FILE, KnownNames.of(Catalogue.shipped()))

    def save(self, path: Path) -> None:
        """One file of numpy's, compressed more than numpy would, the same bytes for the same model.
        The catalogue is not part of it."""
        recogniser, relater, tagger = self.recogniser, self.relater, self.recogniser.tagger
        features = sorted(tagger.weights)
        facts = {
            "format": FORMAT, "least_entity": recogniser.least, "least": dict(relater.least),
            "calibration": {k: [list(map(float, row)) for row in v] for k,
            v in relater.calibration.items()},
            "marked": {f: dict(k) for f, k in tagger.lexicon.marked.items()},
            "seen": tagger.lexicon.seen,
            "ends": tagger.lexicon.ends,
        }  # fmt: skip
        parts: dict[str, Mapping[str, np.ndarray]] = {
            "corpus": tagger.corpus.arrays(),
            "tagger": {
                "features": joined(features),
                **packed(np.stack([tagger.weights[f] for f in features])),
                "transitions": tagger.transitions,
            },
            "words": linear.arrays(recogniser.words),
            "kind_words": linear.arrays(recogniser.kind_words),
            "entity_trees": recogniser.trees.arrays(),
            "kind_trees": recogniser.kind_trees.arrays(),
            "relation_words": linear.arrays(relater.words),
            "relation_trees": relater.trees.arrays(),
            "relation_sentences": linear.arrays(relater.sentences),
            "facts": {"json": np.frombuffer(json.dumps(facts, sort_keys=True).encode(), np.uint8)},
        }  # fmt: skip
        with ZipFile(path, "w") as file:
            for part, held in parts.items():
                for name, array in held.items():
                    # With a date of its own, so that the same model is the same bytes.
                    member = ZipInfo(f"{part}.{name}.npy")
                    member.compress_type = ZIP_LZMA
                    with file.open(member, "w") as written:
                        np.lib.format.write_array(written, np.asanyarray(array))

    @classmethod
    def load(cls, path: Path, names: KnownNames) -> "Model":
        """The inverse of `save`. Raises `ValueError` if the file was written by another version."""
        parts: dict[str, dict[str, np.ndarray]] = {}
        with np.load(path) as file:
            for key in file.files:
                part, name = key.split(".", 1)
                parts.setdefault(part, {})[name] = file[key]
        facts = json.loads(parts["facts"]["json"].tobytes())
        if facts["format"] != FORMAT:
            raise ValueError(
                f"{path} has format {facts['format']}, this version reads {FORMAT}: "
                "train the model again"
            )
        lexicon = Lexicon(
            {f: Counter(k) for f, k in facts["marked"].items()},
            facts["seen"],
            {w: (a, b) for w, (a, b) in facts["ends"].items()},
        )
        held = parts["tagger"]
        weights = dict(zip(split(held["features"]), unpacked(held), strict=True))
        tagger = Tagger(
            weights,
            held["transitions"],
            CorpusStatistics.from_arrays(parts["corpus"]),
            names,
            lexicon,
        )
        recogniser = Recogniser(
            tagger, linear.from_arrays(parts["words"]), linear.from_arrays(parts["kind_words"]),
            Trees.from_arrays(parts["entity_trees"]), Trees.from_arrays(parts["kind_trees"]),
            facts["least_entity"],
        )  # fmt: skip
        relater = Relater(
            linear.from_arrays(parts["relation_words"]),
            linear.from_arrays(parts["relation_sentences"]),
            Trees.from_arrays(parts["relation_trees"]), facts["least"], facts["calibration"],
        )  # fmt: skip
        return cls(recogniser, relater)
