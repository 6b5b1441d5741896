"""The full texts that libraries name, in BibTeX, RIS and Zotero's tables."""

from pathlib import Path
from zipfile import ZipFile

import pytest

from pdf_page import page_of, pdf
from stemma.extract.formats import find, read
from stemma.extract.formats.library import attached
from stemma.schema import Paper, Problem

PAGE = pdf(
    [
        page_of(
            *((20, "KilnFire: Firing Clay"), (11, "Ann Sand"), (12, "Abstract")),
            *((10, "We fire clay hot."), (12, "1 Introduction"), (10, "Clay is old.")),
        )
    ]
)


@pytest.mark.parametrize(
    ("value", "path"),
    [
        (":kilns.pdf:PDF", "kilns.pdf"),  # JabRef
        ("A study\\: kilns:sub/kilns.pdf:PDF;Page:kilns.html:URL", "sub/kilns.pdf"),
        ("Full Text PDF:files/12/kilns.pdf:application/pdf", "files/12/kilns.pdf"),  # Zotero
        ("Kilns:C\\:\\\\Users\\\\ann\\\\kilns.pdf:application/pdf", "C:\\Users\\ann\\kilns.pdf"),
        ("/home/ann/Zotero/AB12/kilns\\_1.pdf", "/home/ann/Zotero/AB12/kilns_1.pdf"),
        ("/home/ann/page.html;/home/ann/kilns.PDF", "/home/ann/kilns.PDF"),  # Better BibTeX
        ("file:///home/ann/My%20kilns.pdf", "/home/ann/My kilns.pdf"),  # RIS
        ("internal-pdf://123/kilns.pdf", "internal-pdf://123/kilns.pdf"),  # EndNote
        ("https://example.org/kilns.pdf", None),
        ("", None),
    ],
)
def test_paths_in_fields_of_attachments(value: str, path: str | None) -> None:
    assert next(reversed(list(attached(value))), None) == path


LIBRARIES = {
    "library.bib": "@article{{k, title={{A Kiln}}, file={{Full Text:{}:application/pdf}}}}\n",
    "library.ris": "TY  - JOUR\nTI  - A Kiln\nL1  - {}\nER  - \n",
    "library.csv": '"Item Type","Title","Author","File Attachments"\n"x","A Kiln","","{}"\n',
}


@pytest.mark.parametrize("name", LIBRARIES)
@pytest.mark.parametrize("is_absolute", [True, False])
def test_the_full_text_that_a_library_names_is_read_once(name, is_absolute, tmp_path):
    named, other = (f"files/{number}/Sand - Kilns.pdf" for number in (12, 13))
    for file in (tmp_path / named, tmp_path / other):
        file.parent.mkdir(parents=True)
        file.write_bytes(PAGE)
    (tmp_path / name).write_text(LIBRARIES[name].format(tmp_path / named if is_absolute else named))
    documents, problems = find([tmp_path])
    assert not problems
    assert [document.name for document in documents] == [other, name]
    (kiln,) = read(tmp_path / name, name)
    assert isinstance(kiln, Paper)
    assert (kiln.title, kiln.abstract) == ("A Kiln", "We fire clay hot.")
    assert kiln.full_text and kiln.full_text.sections[0].text == "Clay is old."


def test_files_that_are_not_there_or_cannot_be_read_cost_no_paper(tmp_path: Path) -> None:
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4\nnothing")
    entries = [(f"A Kiln {i}", f"gone{i}.pdf") for i in range(3)] + [("A Wheel", "broken.pdf")]
    library = tmp_path / "library.bib"
    library.write_text(
        "".join(f"@misc{{k, title={{{title}}}, file={{:{file}:PDF}}}}\n" for title, file in entries)
    )
    readings = list(read(library, library.name))
    assert [each.title for each in readings if isinstance(each, Paper)] == [*dict(entries)]
    broken, missing = (each for each in readings if isinstance(each, Problem))
    assert broken.file == "broken.pdf" and "not a PDF" in broken.reason and not broken.skipped
    assert missing.reason.startswith("attached files that cannot be opened: 3 (the first is 'gone0")


def test_files_beside_an_archive_are_not_looked_for(tmp_path: Path) -> None:
    (tmp_path / "kilns.pdf").write_bytes(PAGE)
    with ZipFile(tmp_path / "library.zip", "w") as archive:
        archive.writestr("library.bib", f"@misc{{k, title={{A}}, file={{{tmp_path}/kilns.pdf}}}}")
    (kiln,) = read(tmp_path / "library.zip", "library.zip")
    assert isinstance(kiln, Paper) and kiln.full_text is None
