"""Print the tables of formats: ``python -m stemma.extract.formats`` (`short`: the README's)."""

import sys

from stemma.extract.formats.registry import short_table, table

print(short_table() if sys.argv[1:] == ["short"] else table(), end="")
