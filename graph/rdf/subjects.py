"""Documents of a graph: papers and entities, with all parts that hang on them as fragments."""

import pyoxigraph as ox

Subject = ox.NamedNode | ox.BlankNode


def documents(rdf: ox.Store) -> dict[str, list[Subject]]:
    """Return the subjects of a graph by their IRIs without the fragments, both in order."""
    subjects = dict.fromkeys(
        quad.subject
        for quad in rdf.quads_for_pattern(None, None, None, None)
        if isinstance(quad.subject, Subject)
    )
    found: dict[str, list[Subject]] = {}
    for subject in sorted(subjects, key=str):
        found.setdefault(subject.value.partition("#")[0], []).append(subject)
    return found
