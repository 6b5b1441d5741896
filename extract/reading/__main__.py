"""Print the table of formats: ``python -m stemma.extract.reading``."""

from stemma.extract.reading.registry import table

print(table(), end="")
