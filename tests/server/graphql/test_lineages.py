"""Lineages of several works at once, with names that fail as part of the answer."""

LINEAGE = "root { id } nodes { depth work { id } } edges { id confidence } truncated"


def test_each_name_has_its_answer_and_none_takes_that_of_another(data) -> None:
    found = data(f"""{{
      lineages(of: ["ZeRO-Infinity", "ZeRO-Infinty", "entity/lora"], first: 50) {{
        __typename
        ... on Lineage {{ {LINEAGE} }}
        ... on UnknownName {{ name message nearest }}
        ... on AmbiguousName {{ name candidates {{ id }} }}
      }}
      zero: lineage(of: "ZeRO-Infinity", first: 50) {{ {LINEAGE} }}
      lora: lineage(of: "LoRA", first: 50) {{ {LINEAGE} }}
    }}""")
    zero, unknown, lora = found["lineages"]
    assert zero == {"__typename": "Lineage", **found["zero"]}
    assert lora == {"__typename": "Lineage", **found["lora"]}
    assert unknown["__typename"] == "UnknownName"
    assert unknown["name"] == "ZeRO-Infinty"
    assert unknown["nearest"] == ["ZeRO-Infinity"]


def test_the_number_of_names_is_bounded_and_priced(error) -> None:
    many = str(["LoRA"] * 11).replace("'", '"')
    refused = error(f"{{ lineages(of: {many}) {{ __typename }} }}")
    assert refused["code"] == "BAD_ARGUMENT"
    costly = """{ lineages(of: ["LoRA"], first: 100) { ... on Lineage { nodes { work {
      ... on Entity { statements(first: 100) { evidence { text } } } } } } } }"""
    assert error(costly)["code"] == "TOO_COSTLY"
