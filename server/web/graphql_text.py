"""Parts of queries in GraphQL, with which the playground opens from a page."""

import json
import re
from collections.abc import Collection, Mapping
from enum import Enum

from stemma.graph import Selection, Work
from stemma.graph.selection import filters
from stemma.schema import Paper, PartialDate

LARGEST_PAGE = 100
EDGES = """\
    edges {
      child { name }
      parent { name }
      relations
      confidence
      statements { paper { name } evidence { text } }
    }"""
_ENTITY = """query {name} {{
  entity(id: {id}) {{
    name
    kind
    aliases
    introducedBy {{ name published }}
    papers(first: 20) {{
      totalCount
      nodes {{ name published }}
    }}
  }}{lineage}
}}
"""
_PAPER = """query {name} {{
  paper(id: {id}) {{
    title
    published
    statements(first: 100) {{
      nodes {{
        relation
        entity {{ name kind }}
        confidence
        evidence {{ text field }}
      }}
    }}
  }}{lineage}
}}
"""


def answer_query(question: str) -> str:
    """Return the query for the answer to a question."""
    asked = string(question)
    return (
        f"{{\n  ask(question: {asked}) {{ text understoodAs totalCount works {{ id name }} }}\n}}"
    )


def search_query(text: str) -> str:
    """Return the query for the works whose names and titles have a text."""
    asked = f"text: {string(text)}, first: {LARGEST_PAGE}"
    return f"{{\n  search({asked}) {{\n    totalCount\n    nodes {{ id name }}\n  }}\n}}"


def string(text: str) -> str:
    """Return a string as GraphQL has it."""
    return json.dumps(text, ensure_ascii=False)


def arguments(given: Mapping[str, str | None]) -> str:
    """Return the arguments of a field; those that are None are left out."""
    return ", ".join(f"{name}: {value}" for name, value in given.items() if value is not None)


def selected(selection: Selection, names: Collection[str]) -> dict[str, str | None]:
    """Return the arguments for some filters of a selection, without those at their defaults."""
    return {
        filters()[name].camel_case: _literal(value)
        for name, value in selection.given(names).items()
    }


def _literal(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, PartialDate):
        return string(str(value))
    return json.dumps(value, ensure_ascii=False)


def query_of(work: Work) -> str:
    """Return the query for the page of a work, which has the name of the work."""
    query = _PAPER if isinstance(work, Paper) else _ENTITY
    words = re.findall(r"[0-9A-Za-z]+", work.name)[:6]
    name = "".join(word[0].upper() + word[1:] for word in words)
    if not name or name[0].isdigit():
        name = f"About{name}"
    id_ = string(work.id)
    lineage = f"\n  lineage(of: {id_}) {{\n{EDGES}\n  }}"
    return query.format(name=name, id=id_, lineage=lineage)
