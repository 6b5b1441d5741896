"""Tables of a PDF: lines that end in figures, beside a caption."""

from stemma.extract.formats.pdf import without_tables
from stemma.extract.formats.pdf_rows import Row


def read(*lines: str) -> tuple[list[str], list[str]]:
    """Return the lines of a page that are left, and its tables as they are kept."""
    rows = [
        Row(line, 10.0, "Times", 50.0, 290.0, 700.0 - 12 * number, True)
        for number, line in enumerate(lines)
    ]
    left, tables = without_tables(rows)
    return [each.text for each in left], [each.marked() for each in tables]


def test_a_table_is_below_its_caption_or_above() -> None:
    below = [
        "Table 1: Firing.",
        "Oven Pots Heat",
        "Wheel 9 70",
        "Old Kiln [3] 20 75",
        "We fire it.",
    ]
    left, tables = read(*below)
    table = "Table 1: Firing.\n\nOven | Pots | Heat\n\nWheel | 9 | 70\n\nOld Kiln [3] | 20 | 75"
    assert tables == [table]
    assert left == ["Table 1: Firing.", "Oven Pots Heat", "We fire it."]
    caption, heading, *rows, _ = below
    assert read(heading, *rows, caption)[1] == [table]


def test_headings_that_are_not_one_for_each_column_are_no_cells() -> None:
    _, (table,) = read("Table 2. Heat.", "Kind of oven Heat", "Wheel 70", "Kiln 75")
    assert table == "Table 2. Heat.\n\nKind of oven Heat | –\n\nWheel | 70\n\nKiln | 75"


def test_without_a_caption_or_several_rows_there_is_no_table() -> None:
    prose = ["There were 9", "of them by 12", "as Table 1 says."]
    assert read(*prose) == (prose, [])
    one = ["Table 3: Heat.", "Wheel 70", "It is hot."]
    assert read(*one) == (one, [])


def test_citations_and_years_are_no_figures() -> None:
    _, (table,) = read("Table 4: Heat.", "Oven Heat", "Wheel [12] 70", "Kiln (2018) 75")
    assert table.endswith("Wheel [12] | 70\n\nKiln (2018) | 75")
