"""The query in GraphQL with which the playground opens from the page of a work."""

import json
import re

from stemma.graph import Work
from stemma.schema import Paper

_EDGES = """\
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


def query_of(work: Work) -> str:
    """Return the query for the page of a work, which has the name of the work."""
    query = _PAPER if isinstance(work, Paper) else _ENTITY
    words = re.findall(r"[0-9A-Za-z]+", work.name)[:6]
    name = "".join(word[0].upper() + word[1:] for word in words)
    if not name or name[0].isdigit():
        name = f"About{name}"
    id_ = json.dumps(work.id)
    lineage = f"\n  lineage(of: {id_}) {{\n{_EDGES}\n  }}"
    return query.format(name=name, id=id_, lineage=lineage)
