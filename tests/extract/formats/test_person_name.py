"""The grammar of personal names."""

import pytest

from stemma.extract.formats.person_name import is_nobody, listed_names, person_names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Sand, Ann and Clay, Bo", ["Ann Sand", "Bo Clay"]),
        ("von Sand, Ann AND de la Clay, Bo", ["Ann von Sand", "Bo de la Clay"]),
        ("Sand, Ann and others", ["Ann Sand"]),
        ("Sand, Ann, Jr.", ["Ann Sand Jr."]),
        ("Sand A Jr; Clay B", ["A Sand Jr", "B Clay"]),
        ("Naveen R and Ann Sand", ["Naveen R", "Ann Sand"]),
        ("{The Kiln Group} and Sand, Ann", ["The Kiln Group", "Ann Sand"]),
        ("{Clay and Sons, Inc.}", ["Clay and Sons, Inc."]),
        ("Clay Works, Inc.", ["Clay Works, Inc."]),
        ("Sand III, Ann", ["Ann Sand III"]),
        ("Clay & Sons", ["Clay & Sons"]),
        ("University of Clay, Department of Kilns", ["University of Clay, Department of Kilns"]),
        ("family=Sand, given=Ann, prefix=von and Bo Clay", ["Ann von Sand", "Bo Clay"]),
        ("given={Ann}, given-i={A}, family={Sand Clay}", ["Ann Sand Clay"]),
        (r"M{\"u}ller, J{\'e}r\^ome and {\O}re, {\AA}sa", ["Jérôme Müller", "Åsa Øre"]),
        ("M&uuml;ller, Ann and Clay, Bo", ["Ann Müller", "Bo Clay"]),
        ("Ann~Sand and Bo Clay 0002", ["Ann Sand", "Bo Clay"]),
        ("Sand, A., Clay, B., Pot, C.", ["A. Sand", "B. Clay", "C. Pot"]),
        ("Team, Kiln Study", ["Kiln Study Team"]),
        ("NASA,", ["NASA"]),
        ("[Anonymous]", []),
        (" and and", []),
    ],
)
def test_a_comma_within_a_name(text: str, names: list[str]) -> None:
    assert person_names(text, family_first=True) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Sand, Ann", ["Ann Sand"]),
        ("van der Sand, Ann Maria", ["Ann Maria van der Sand"]),
        ("Sand, Ann|Clay, Bo", ["Ann Sand", "Bo Clay"]),
        ("Ann Sand, Bo Clay, and Cy Pot", ["Ann Sand", "Bo Clay", "Cy Pot"]),
        ("Sand, Clay and Pot", ["Sand", "Clay", "Pot"]),
        ("Sand A., Clay B.C.", ["A. Sand", "B.C. Clay"]),
        ("Sand, A., & Clay, B.", ["A. Sand", "B. Clay"]),
        ("Sand, Ann (57201234567); Clay, Bo (57201234568)", ["Ann Sand", "Bo Clay"]),
        ("Ann Sand (1 and 2), Bo Clay (2) ((1) Lab, (2) Pot (Zurich))", ["Ann Sand", "Bo Clay"]),
        ("Ann Sand1,2, Bo Clay*, Cy Pot†", ["Ann Sand", "Bo Clay", "Cy Pot"]),
        ("Ann Sand, PhD, Bo Clay, M.D.", ["Ann Sand", "Bo Clay"]),
        ("王小明; 李四", ["王小明", "李四"]),
        ("nan", []),
        (", and Ann Sand", ["Ann Sand"]),
    ],
)
def test_a_comma_that_may_separate_names(text: str, names: list[str]) -> None:
    assert person_names(text) == names


def test_a_line_of_a_name_may_be_that_of_a_body() -> None:
    lines = ["Centre for Clay and Kilns", "Sand A Jr", "Clay, Bo; Pot, Cy", "NASA,", "[Anonymous]"]
    names = ["Centre for Clay and Kilns", "A Sand Jr", "Bo Clay", "Cy Pot", "NASA"]
    assert listed_names(lines) == names


NOBODY = [
    *("[Anonymous]", "Anon.", "nan", "None", "N/A", "[No author name available]", "et al."),
    *("others", "and others", "Unknown", "No authors listed", "Author unknown", "…", "-"),
]
SOMEBODY = ["Ann Sand", "Na Li", "Anonymous Potters", "Alan None", "Li"]


def test_who_is_nobody() -> None:
    assert [each for each in NOBODY + SOMEBODY if is_nobody(each)] == NOBODY
