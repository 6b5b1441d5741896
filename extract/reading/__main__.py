"""Print the tables of formats: ``python -m stemma.extract.reading`` (`short`: the README's)."""

import sys

from stemma.extract.reading.registry import short_table, table

print(short_table() if sys.argv[1:] == ["short"] else table(), end="")
