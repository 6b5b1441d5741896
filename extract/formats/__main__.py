"""Print the table of formats in the documentation: ``python -m stemma.extract.formats``."""

from stemma.extract.formats.discovery import table

print(table(), end="")
