"""The pipeline: the components, assembled from one config on a blank English spaCy model.

spaCy finds the components by the entry points in ``pyproject.toml``.
"""

from pathlib import Path

from spacy.language import Language
from spacy.util import load_model_from_config
from thinc.api import Config

from stemma.extract.catalogue_name import CatalogueMatcher
from stemma.extract.encoder.component import PaperReader
from stemma.schema import Catalogue

CONFIG = Path(__file__).with_name("pipeline.cfg")
_LONGEST_TEXT = 10**9
"""Characters; spaCy's own limit is there for parsers, which this pipeline has none of."""


def load(
    catalogue: Catalogue | None = None,
    *,
    config: Path | None = None,
    model: str | Path | None = None,
) -> Language:
    """Return the extraction as a spaCy pipeline, with the shipped catalogue or another.

    `config` is a file to take in place of the shipped one. `model`: the folder of a trained model
    to read with instead of the shipped one. Raises ModelError if it is none, ValueError if there is
    no encoder to take it.
    """
    settings = Config().from_disk(config or CONFIG)
    if model is not None:
        if not (encoder := settings["components"].get("stemma_encoder")):
            raise ValueError("a trained model needs the component stemma_encoder")
        encoder["model"] = str(Path(model).resolve())
    nlp = load_model_from_config(settings, auto_fill=True)
    nlp.max_length = _LONGEST_TEXT
    if catalogue is not None:
        for _, component in nlp.components:
            if isinstance(component, CatalogueMatcher | PaperReader):
                component.catalogue = catalogue
    return nlp
