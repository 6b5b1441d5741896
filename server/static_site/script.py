"""Scripts of the pages without their imports: a page in a file has nothing to import from."""

import re

from stemma.server import pages

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./(?P<file>[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


def whole_script(name: str) -> str:
    """Return a script of the pages with what it imports in it."""
    text = (pages.ASSETS / name).read_text("utf-8")
    return _EXPORT.sub("", _IMPORT.sub(lambda found: whole_script(found["file"]), text))
