"""Colours of the kinds, in which displaCy draws `doc.ents`."""

from spacy.util import registry

from stemma.schema import EntityKind

COLORS = {
    EntityKind.HARDWARE: "#f4a582",
    EntityKind.FRAMEWORK: "#92c5de",
    EntityKind.TECHNIQUE: "#c2e699",
    EntityKind.MODEL: "#d4b9da",
    EntityKind.DATASET: "#fee391",
}


@registry.displacy_colors("stemma")  # type: ignore[untyped-decorator]
def colors() -> dict[str, str]:
    """Return the colours by label, as displaCy asks for them."""
    return {kind.value: color for kind, color in COLORS.items()}
