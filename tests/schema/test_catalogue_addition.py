"""Any SKOS as an addition to the catalogue: what is used, and what is reported."""

from dataclasses import asdict
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stemma.schema import (
    Addition,
    Catalogue,
    CatalogueError,
    Entity,
    EntityKind,
    Fact,
    Problem,
    RelationType,
)
from stemma.schema.catalogue import extended

PREFIXES = """\
@prefix ex: <https://example.org/terms/> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix stemma: <https://w3id.org/stemma/ontology#> .
@prefix schema: <https://schema.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix entity: <https://w3id.org/stemma/id/entity/> .
"""
TECHNIQUE = EntityKind.TECHNIQUE


@pytest.fixture
def base() -> Catalogue:
    concepts = [
        Entity("entity/adam", "Adam", TECHNIQUE, ("Adam optimizer",)),
        Entity("entity/optimizer", "optimizer", TECHNIQUE),
        Entity("entity/triton", "Triton", EntityKind.FRAMEWORK),
        Entity("entity/orca", "Orca", EntityKind.FRAMEWORK),
        Entity("entity/orca-model", "Orca model", EntityKind.MODEL, ("Orca",)),
    ]
    return Catalogue({concept.id: concept for concept in concepts}, [], "base")


def added(
    base: Catalogue, turtle: str, kind: EntityKind | None = None
) -> tuple[Catalogue, list[Problem]]:
    return extended(base, [Addition("terms.ttl", (PREFIXES + turtle).encode(), kind)])


ALIASES, BROADER = ("EvoLved Sign Momentum", "LION"), ("entity/optimizer",)
LION = Entity("entity/lion-optimizer", "Lion optimizer", TECHNIQUE, ALIASES, BROADER)
NIB = "ex:t a stemma:Model ; skos:prefLabel 'Nib'"
MORE = {"entity/adam": {"name": "Adam", "aliases": ("Adam optimizer", "AdamOpt")}}
TAKEN: dict[str, tuple[str, dict[str, dict[str, object]]]] = {
    "a concept with its names and what is broader": (
        "ex:t1 a stemma:Technique ; skos:prefLabel 'Lion optimizer'@en, 'Löwe'@de ;"
        " skos:altLabel 'EvoLved Sign Momentum'@en, 'Vorzeichen'@de ; skos:hiddenLabel 'LION' ;"
        " skos:broader entity:optimizer .",
        {LION.id: asdict(LION)},
    ),
    "a label without language": (f"{NIB} .", {"entity/nib": {"kind": EntityKind.MODEL}}),
    "more names of a concept that has one of them": (
        "ex:t a stemma:Technique ; skos:prefLabel 'ADAM' ; skos:altLabel 'AdamOpt' .",
        MORE,
    ),
    "more names of the concept with an id": ("entity:adam skos:prefLabel 'AdamOpt' .", MORE),
    "more names of the concept that one matches": (
        "ex:t skos:exactMatch entity:adam ; a skos:Concept . ex:t skos:prefLabel 'AdamOpt' .",
        MORE,
    ),
    "the first year, also that of a date": (
        f"{NIB} ; schema:datePublished '2021-04-15'^^xsd:date, '2023' .",
        {"entity/nib": {"year": 2021}},
    ),
    "narrower for broader the other way round": (
        "ex:wide a stemma:Technique ; skos:prefLabel 'wide' ; skos:narrower ex:slim .\n"
        "ex:slim a skos:Concept ; skos:prefLabel 'slim' .",
        {"entity/slim": {"broader": ("entity/wide",)}},
    ),
}


@pytest.mark.parametrize(("turtle", "expected"), TAKEN.values(), ids=TAKEN)
def test_what_is_taken(base, turtle, expected):
    catalogue, problems = added(base, turtle)
    assert problems == []
    for id_, fields in expected.items():
        concept = asdict(catalogue.concepts[id_])
        assert {field: concept[field] for field in fields} == fields
    new = set(catalogue.concepts) - set(base.concepts)
    assert (expected is MORE) == (not new)


def test_facts_of_lineage_are_taken(base):
    catalogue, problems = added(
        base, "ex:t a stemma:Technique ; skos:prefLabel 'Lion' ; stemma:improvesOn entity:adam ."
    )
    assert problems == []
    assert catalogue.facts == (Fact("entity/lion", RelationType.IMPROVES_ON, "entity/adam"),)


ABOVE = (
    "ex:a a stemma:Dataset ; skos:prefLabel 'corpora' .\n"
    "ex:b a skos:Concept ; skos:prefLabel 'speech corpora' ; skos:broader ex:a .\n"
)


@pytest.mark.parametrize(
    ("turtle", "given", "kind"),
    [
        (f"{ABOVE}ex:q a skos:Concept ; skos:broader ex:b", None, EntityKind.DATASET),
        ("ex:q a skos:Concept ; skos:broader entity:adam", None, TECHNIQUE),
        (
            "ex:all stemma:kind stemma:Hardware .\nex:q a skos:Concept ; skos:topConceptOf ex:all",
            *(None, EntityKind.HARDWARE),
        ),
        ("ex:q a skos:Concept", EntityKind.DATASET, EntityKind.DATASET),
        ("ex:q a stemma:Model ; skos:broader entity:adam", EntityKind.DATASET, EntityKind.MODEL),
    ],
    ids=["of what is broader", "in the catalogue", "of the scheme", "of the file", "its own"],
)
def test_the_kind_is_the_nearest(base, turtle, given, kind):
    catalogue, problems = added(base, f"{turtle} ; skos:prefLabel 'Quacks' .", given)
    assert problems == []
    assert catalogue.concepts["entity/quacks"].kind is kind


def test_the_kind_is_given_with_the_file(tmp_path):
    (tmp_path / "my terms.ttl").touch()
    addition = Addition.of(f"dataset={tmp_path / 'my terms.ttl'}")
    assert (addition.name, addition.kind) == ("my terms.ttl", EntityKind.DATASET)
    with pytest.raises(FileNotFoundError):
        Addition.of(str(tmp_path / "no.ttl"))


GOOD = "ex:good a stemma:Technique ; skos:prefLabel 'good one' .\n"


class TestTold:
    @pytest.mark.parametrize(
        ("turtle", "reason"),
        [
            ("ex:t a stemma:Technique .", "it has no skos:prefLabel"),
            ("ex:t a skos:Concept ; skos:prefLabel 'Nib' .", "its kind is unknown"),
            ("ex:t a stemma:Model ; skos:prefLabel 'x' .", "'x' is too short"),
            ("ex:t a stemma:Model ; skos:prefLabel 'Triton' .",
             "already uses 'Triton' for entity/triton (framework): if they are"),
            ("ex:t a stemma:Model ; skos:prefLabel 'Nib' ; skos:exactMatch entity:adam .",
             "its kind is ambiguous (model and technique)"),
            ("ex:t a stemma:Technique ; skos:prefLabel 'Good-One' .",
             "'Good-One' is already the name of <https://example.org/terms/good>"),
            ("ex:t a stemma:Model ; skos:prefLabel 'Nib' ; skos:broader ex:nothing .",
             "its broader concept <https://example.org/terms/nothing> does not exist"),
            ("ex:t a stemma:Model ; skos:prefLabel 'Nib' ; skos:broader ex:t .", "forms a cycle"),
            ("ex:t a stemma:Model ; skos:prefLabel 'Nib' ; stemma:buildsOn ex:t .", "relates two"),
            ("ex:t a stemma:Model ; skos:prefLabel 'Nib' ; schema:datePublished 'May' .",
             "schema:datePublished is not a date (2021"),
        ],
    )  # fmt: skip
    def test_what_is_not_usable_with_its_line_and_the_rest_is_taken(self, base, turtle, reason):
        catalogue, problems = added(base, GOOD + "\n" + turtle)
        (problem,) = problems
        assert reason in problem.reason
        skipped = "entity/nib" not in catalogue.concepts
        assert ("it is skipped: " in problem.reason) == skipped
        assert problem.line == (PREFIXES + GOOD).count("\n") + 2
        assert "entity/good-one" in catalogue.concepts

    @pytest.mark.parametrize(
        ("turtle", "reason"),
        [
            ("ex:a a skos:Concept ;\n skos:prefLabel :: .", r"terms\.ttl:8: not readable"),
            ("ex:a ex:b ex:c .", r"terms\.ttl: has no SKOS"),
            ("ex:a a skos:Concept ; skos:prefLabel 'Nib' .", r"(?s)No concept is usable:.*kind is"),
        ],
    )
    def test_why_a_file_cannot_be_used(self, base, turtle, reason):
        with pytest.raises(CatalogueError, match=reason):
            added(base, turtle)


def test_the_fingerprint_depends_on_what_was_added(base):
    one = "ex:a a skos:Concept ; skos:prefLabel 'Nib' .\n"
    prints = {
        base.fingerprint,
        added(base, one, TECHNIQUE)[0].fingerprint,
        added(base, one, EntityKind.MODEL)[0].fingerprint,
        added(base, one + "\n", TECHNIQUE)[0].fingerprint,
    }
    assert len(prints) == 4
    assert added(base, one, TECHNIQUE)[0].fingerprint in prints


def test_the_shipped_catalogue_takes_its_own_files_for_what_they_are():
    shipped = Catalogue.shipped()
    folder = Path(__file__).parents[2] / "schema" / "catalogue"
    addition = Addition.of(str(folder / "hardware.ttl"))
    catalogue, problems = extended(shipped, [addition])
    assert problems == []
    assert catalogue.concepts == shipped.concepts


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")), max_size=12))
def test_whatever_is_broader_nothing_leads_back(links):
    base = Catalogue({}, [], "base")
    turtle = "".join(
        f"ex:{each} a stemma:Model ; skos:prefLabel 'm{each}' .\n" for each in "abcdef"
    )
    turtle += "".join(f"ex:{low} skos:broader ex:{high} .\n" for low, high in links)
    catalogue, _ = added(base, turtle)
    broader = {id_: concept.broader for id_, concept in catalogue.concepts.items()}
    TopologicalSorter(broader).prepare()  # It raises CycleError.
