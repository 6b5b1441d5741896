"""Tables of results: what they say of other systems beside the paper's own."""

import pytest

import pipelines
from stemma.extract.sections.result_table import results
from stemma.schema import EntityKind, Extraction, RelationType
from stemma.schema.paper import Citation, Field, FullText, Paper, Reference, Section


def told(text: str) -> list[tuple[str, str]]:
    section = Section(Field.TABLE, "", text)
    return [
        (section.text[slice(*result.name[1:])], str(result.comparison))
        for result in results(0, section, lambda name: name.startswith("Kiln"))
        if result.comparison
    ]


TABLES = """
Table 1: Firing.
Oven | Throughput (pots/h)
Wheel | 100
Ours | 250
-> Wheel: 2.5x higher throughput

Method | Tokens/s | Latency (ms)
Wheel | 1,200 ± 3 | 40
Pot | – | 10
Kiln-7B | 2,400 | 20
-> Wheel: 2x higher throughput; Pot: 2x higher latency

Model | Params | Accuracy (%)
Wheel-B | 7B | 71.25
Pot | 7B | 73.5
Kiln | 7B | 73.5
-> Wheel-B: 2.25 points higher accuracy; Pot: comparable accuracy

Model | F1
Wheel | 0.80
Kiln | 0.85
-> Wheel: 5 points higher F1

Model | Colour
Wheel | 70
Kiln | 80
->

Model | Memory
Wheel | 700MB
Kiln | 1GB
->

Perplexity of all models.
Model | WikiText | C4
Wheel | 12.0 | 14
Kiln (ours) | 6.0 | 15
-> Wheel: 2x lower perplexity, on WikiText

Metric | Wheel | Pot | Kiln
Peak memory (GB) | 40 | 10 | 20
Accuracy | 70 | 71 | 72
-> Wheel: 2x lower memory; Pot: 2x higher memory

Model | Accuracy
Wheel | 70
Wheels | –
Kiln | 80
Kiln w/o glaze | 60
w/o fire | 50
+ glaze | 81
Average | 75
-> Wheel: 10 points higher accuracy
"""


@pytest.mark.parametrize("case", TABLES.strip().split("\n\n"))
def test_what_a_table_says(case: str) -> None:
    text, _, said = case.partition("\n->")
    assert "; ".join(": ".join(each) for each in told(text)) == said.strip()


def roles(text: str, *cited: str) -> dict[str, str]:
    citations = [
        Citation(start := text.index(reference), start + len(reference), Reference(None, reference))
        for reference in cited
    ]
    section = Section(Field.TABLE, "", text, tuple(citations))
    read = results(0, section, lambda name: "Kiln" in name)
    return {section.text[slice(*each.name[1:])]: each.role.value for each in read}


def test_a_name_is_a_row_beside_the_papers_own_or_a_column_across_or_apart() -> None:
    rows = "Oven | Clay-9 | Loam\nWheel | 70 | 1\nw/o fire | 60 | 2\n"
    assert roles(f"{rows}Kiln | 8 | 3") == {"Wheel": "beside", "Clay-9": "across", "Loam": "across"}
    assert roles("Soil | Wheel | Old Kiln\nClay [2-shot] | 1 | 2") == {
        "Wheel": "beside",
        "Clay": "across",
    }
    assert roles(rows) == {"Wheel": "apart"}
    ablation = f"Ablation of the fire.\n{rows}w/ Loam | 7 | 8\nKiln | 8 | 3"
    assert roles(ablation) == {"Wheel": "apart", "Clay-9": "across", "Loam": "across"}


def test_headings_may_be_numbers_with_names_below() -> None:
    rows = "Labels | 100 | 200\nOven | Clay | Clay\nWheel | 7 | 8\nKiln | 8 | 9"
    assert roles(rows)["Wheel"] == "beside"
    assert roles("Labels | 100 | 200\nWheel | 7 | 8\nKiln | 8 | 9") == {}


def test_a_citation_alone_is_a_name() -> None:
    rows = "Oven | Heat\n[3] | 7\n[4] (with glaze) | 8\nfire from [5] | 9\nKiln | 8"
    assert roles(rows, "[3]", "[4]", "[5]") == {
        "[3]": "beside",
        "[4]": "beside",
        "fire": "beside",
        "Heat": "across",
    }


def test_cells_below_a_heading_of_data_sets_are_data_and_others_are_cells() -> None:
    assert roles("Task | Dataset | Oven\nFiring | Clay-9 | Wheel\nGlazing | Loam | Wheel") == {
        **{"Firing": "cell", "Glazing": "cell", "Wheel": "cell"},
        **{"Clay-9": "data", "Loam": "data"},
    }


TABLE = """Serving a model.
System | Throughput | Latency (ms)
vLLM | 100 | 40
Wheel [1] | 50 | 10
Potter et al. [2] | 25 | 10
Loam-7B | 5 | 5
[3] | 100 | 7
Kiln (ours) | 200 | 20"""
CITED = {"1": "Pottery at scale", "2": "Pot: A slow system", "3": "Firing in the Wild"}


def test_systems_in_rows_beside_the_papers_own_are_compared_with_it() -> None:
    citations = [
        Citation(start := TABLE.index(f"[{mark}]") + 1, start + 1, Reference(None, title))
        for mark, title in CITED.items()
    ]
    full_text = FullText.of((Section(Field.TABLE, "", TABLE, tuple(citations)),))
    own = Paper("paper/kiln", "Kiln: Fast Serving", "We present Kiln.", full_text=full_text)
    (extraction,) = pipelines.extractor().extract([own])
    assert isinstance(extraction, Extraction)
    for each in (evidence for relation in extraction.relations for evidence in relation.evidence):
        assert extraction.paper.text(each.field)[each.start : each.end] == each.text
    _, heading, *_, ours = TABLE.split("\n")
    assert {
        each.entity: (str(each.comparison), [one.text for one in each.evidence])
        for each in extraction.relations
        if each.type is RelationType.COMPARES_WITH
    } == {
        "vLLM": ("2x higher throughput", [heading, "vLLM | 100 | 40", ours]),
        "Wheel": ("4x higher throughput", [heading, "Wheel [1] | 50 | 10", ours]),
        "Pot": ("8x higher throughput", [heading, "Potter et al. [2] | 25 | 10", ours]),
        "Loam-7B": ("40x higher throughput", [heading, "Loam-7B | 5 | 5", ours]),
        "Firing in the Wild": ("2x higher throughput", [heading, "[3] | 100 | 7", ours]),
    }
    assert {entity.name for entity in extraction.entities if not entity.mentions} == {
        *("Pot", "Firing in the Wild")  # Authors and citations are no names.
    }
    kinds = {entity.name: entity.kind for entity in extraction.entities}
    assert (kinds["Loam-7B"], kinds["Wheel"]) == (EntityKind.MODEL, EntityKind.TECHNIQUE)
