"""The file of decisions: what is written reads back, and what people wrote there stays."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from filled import append, remove
from stemma.schema import DecisionError, DecisionFile, EntityKind, RelationType
from stemma.schema.decision import ChangeKind, Confirm, Merge, Reject, Rename, Split

MERGE = Merge(("entity/nibbler", "entity/nibbling-trainer"), "one thing, two names")
SPLIT = Split("entity/gnawer", ("paper/one", "paper/two"), "Gnawer the rodent")
RENAME = Rename("entity/nibbler", 'The "Nibbler"')

names = st.text(st.characters(codec="utf-8"), min_size=1).filter(lambda text: text.strip())
several = st.lists(names, min_size=2, max_size=4, unique=True).map(tuple)
notes = st.none() | names
relations = st.sampled_from(RelationType)
decisions = st.one_of(
    st.builds(Merge, several, notes),
    st.builds(Split, names, several, st.none() | names, notes),
    st.builds(Rename, names, names, notes),
    st.builds(ChangeKind, names, st.sampled_from(EntityKind), notes),
    st.builds(Reject, names, relations, names, notes),
    st.builds(Confirm, names, relations, names, notes),
)


@pytest.fixture
def file(tmp_path: Path) -> DecisionFile:
    return DecisionFile(tmp_path / "stemma.db.decisions.toml")


def test_where_there_is_no_file_nothing_is_decided(file: DecisionFile) -> None:
    assert file.read() == ()
    assert file.fingerprint() == ""


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(decisions, min_size=1, max_size=5), st.data())
def test_what_is_written_reads_back_until_it_is_taken_out(file, written, data):
    file.path.unlink(missing_ok=True)
    assert [append(file, each) for each in written] == list(range(1, len(written) + 1))
    assert file.read() == tuple(written)
    number = data.draw(st.integers(1, len(written)))
    assert remove(file, number) == written[number - 1]
    assert file.read() == tuple(written[: number - 1] + written[number:])


def test_it_is_written_for_people_to_read(file: DecisionFile) -> None:
    append(file, MERGE)
    append(file, ChangeKind("entity/gnawer", EntityKind.MODEL))
    append(file, Reject("paper/one", RelationType.BUILDS_ON, "entity/gnawer"))
    tables = file.path.read_text().split("\n\n")[1:]
    assert tables == [
        '[[decision]]\nmerge = ["entity/nibbler", "entity/nibbling-trainer"]\n'
        'note = "one thing, two names"',
        '[[decision]]\nchange_kind = "entity/gnawer"\nkind = "model"',
        '[[decision]]\nreject = "paper/one"\nrelation = "BUILDS_ON"\nentity = "entity/gnawer"\n',
    ]


def test_comments_of_people_stay(file: DecisionFile) -> None:
    file.path.write_text(
        "# Kept by Ann.\r\n\r\n[[decision]] # by Bob\r\nrename = 'entity/a'\r\nname = 'A'\r\n\r\n"
        "# Sure?\r\n[[ decision ]]\r\nchange_kind = 'entity/b'\r\nkind = 'model'\r\n# The end."
    )
    append(file, SPLIT)
    remove(file, 1)
    text = file.path.read_text()
    for comment in ("# Kept by Ann.", "# Sure?", "# The end."):
        assert comment in text
    assert "by Bob" not in text, "a comment on what is taken out goes with it"
    assert file.read() == (ChangeKind("entity/b", EntityKind.MODEL), SPLIT)


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ("merge = ['entity/a']", "two entities"),
        ("merge = ['entity/a', 7]", "list of strings"),
        ("merge = 'entity/a'", "list of strings"),
        ("rename = 'entity/a'", "'name' is missing"),
        ("rename = 'entity/a'\nname = ' '", "name is empty"),
        ("rename = 'entity/a'\nnmae = 'A'", "unknown key 'nmae' in 'rename'"),
        ("change_kind = 'entity/a'\nkind = 'animal'", "hardware, framework"),
        ("reject = 'paper/a'\nrelation = 'EATS'\nentity = 'entity/a'", "INTRODUCES, BUILDS_ON"),
        ("split = 'entity/a'\npapers = []", "at least one paper"),
        ("rename = 7\nname = 'A'", "should be a string"),
        ("remove = 'entity/a'", "one of merge, split"),
        ("rename = 'entity/a'\nname = 'A'\nmerge = ['a', 'b']", "one of merge, split"),
    ],
)
def test_an_invalid_decision_is_reported_with_file_number_and_reason(file, table, reason):
    append(file, RENAME)
    with file.path.open("a") as more:
        more.write(f"\n[[decision]]\n{table}\n")
    with pytest.raises(DecisionError, match=f"{file.path}.*decision 2.*{reason}"):
        file.read()


@pytest.mark.parametrize(
    "content", [b"[[decision]", b"\xff\xfe", b"[[decisions]]\n", b"decision = 3"]
)
def test_an_invalid_file_is_reported_and_not_touched(file: DecisionFile, content: bytes) -> None:
    file.path.write_bytes(content)
    for use in (file.read, lambda: append(file, MERGE), lambda: remove(file, 1)):
        with pytest.raises(DecisionError, match=r"decisions\.toml"):
            use()
    assert file.path.read_bytes() == content


def test_what_only_a_person_can_take_out_is_left_to_people(file: DecisionFile) -> None:
    content = 'decision = [{ rename = "entity/a", name = "A" }]\n'
    file.path.write_text(content)
    assert file.read() == (Rename("entity/a", "A"),)
    with pytest.raises(DecisionError, match="delete it in the file"):
        remove(file, 1)
    with pytest.raises(DecisionError, match=r"\[\[decision\]\]"):
        append(file, MERGE)
    assert file.path.read_text() == content


def test_a_number_that_nothing_has_is_reported(file: DecisionFile) -> None:
    append(file, MERGE)
    for number in (0, 2, -1):
        with pytest.raises(DecisionError, match=f"no decision {number}.*holds one"):
            remove(file, number)


def test_text_that_no_file_can_hold_is_refused() -> None:
    with pytest.raises(ValueError, match="name contains invalid Unicode"):
        Rename("entity/a", "\udcff")
