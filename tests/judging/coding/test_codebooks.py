"""Codebooks: their files, templates, versions, and what the database refuses."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from judging.coding import codebook_files
from judging.coding.codebook_files import BadCodebook, CodebookFile, CodeSpec, GroupSpec
from judging.coding.saving_codebooks import save
from judging.models import Code, CodebookIsFinal
from tests.cast import NOW, rita, small_study
from tests.judging.coding.cast import KEYS, TABLE, coding_of, commented_study

pytestmark = pytest.mark.django_db
CELLS = st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="|"), max_size=30)
NAMES = CELLS.map(str.strip).filter(bool)
ROWS = st.lists(
    st.tuples(CELLS.map(str.strip), NAMES, CELLS.map(str.strip)),
    min_size=1,
    max_size=6,
    unique_by=lambda row: (row[0].casefold(), row[1].casefold()),
)


def keys_of(file):
    return [code.key for group in file.groups for code in group.codes]


def test_a_table_is_read_with_groups_examples_and_keys():
    file = codebook_files.read(TABLE)
    assert keys_of(file) == list(KEYS)
    assert [group.name for group in file.groups] == ["Pages", "Task"]
    assert file.groups[0].codes[0].examples == ["too small", "too far"]
    assert codebook_files.read(TABLE.replace(b",", b";")) == file


def test_the_template_has_the_structure_of_the_paper():
    """Popp et al., appendix E: 9 codes of usability, 14 of the design, 11 of sentiment."""
    (file,) = codebook_files.templates().values()
    assert [len(group.codes) for group in file.groups] == [9, 14, 11]
    assert "Popp" in file.source
    assert all(code.definition for group in file.groups for code in group.codes)


@given(ROWS)
@settings(deadline=None, max_examples=40)
def test_a_written_codebook_is_read_back(rows):
    groups = {}
    for n, (group, name, definition) in enumerate(rows):
        code = CodeSpec(name, definition, [definition] if definition else [], f"k{n}")
        groups.setdefault(group, []).append(code)
    file = CodebookFile([GroupSpec(codes, name) for name, codes in groups.items()])
    for format in codebook_files.FORMATS:
        assert codebook_files.read(codebook_files.written(file, format)).groups == file.groups


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "codebook_bad_csv"),
        (b"group,code\n", "codebook_code_count"),
        (b"group,name\nA,b\n", "codebook_bad_csv"),
        (b'code\n"open', "codebook_bad_csv"),
        (b"code\n" + b"x" * 300, "codebook_bad_csv"),
        (b"code\na\nA\n", "codebook_code_twice"),
        (b"code\n" + b"\n".join(b"c%d" % n for n in range(1001)), "codebook_code_count"),
        (b",".join([b"code"] * 10_000) + b"\n" + b"a\n" * 100_000, "codebook_bad_csv"),
        (b"{", "codebook_bad_json"),
        (b'{"groups": [{"codes": [{"name": ""}]}]}', "codebook_bad_json"),
        (b'{"groups": ' + b"[" * 100_000, "codebook_bad_json"),
        (b"\xff\xfe", "codebook_not_utf8"),
        (b"code\n\x00", "codebook_has_nul"),
        (b'{"groups": [{"codes": [{"name": "a\\u0000b"}]}]}', "codebook_has_nul"),
        (b'{"description": "\\u0000", "groups": [{"codes": [{"name": "a"}]}]}', "codebook_has_nul"),
        (b"code,key\na,k\nb,k\n", "codebook_code_twice"),
        (b"x" * 1_000_001, "codebook_too_large"),
    ],
)
def test_other_files_are_refused(content, code):
    with pytest.raises(BadCodebook) as refused:
        codebook_files.read(content)
    assert refused.value.code == code


def test_equal_keys_are_numbered_and_written_ones_stay():
    file = codebook_files.read(b"code,key\nToo bright,\nToo bright!,\nOther,too-bright-2\n")
    assert keys_of(file) == ["too-bright", "too-bright-3", "too-bright-2"]
    assert codebook_files.read(codebook_files.written(file, "json")) == file


def test_a_changed_codebook_is_another_version():
    team = small_study().team
    file = codebook_files.read(TABLE)
    versions = [
        save(team=team, file=codebook_files.read(content), by=None, now=NOW, name="Book").number
        for content in (TABLE, TABLE, TABLE.replace(b"Speed", b"Pace"), TABLE)
    ]
    assert versions == [1, 1, 2, 3]
    with pytest.raises(BadCodebook):
        save(team=team, file=file, by=None, now=NOW)


def test_the_database_refuses_changes_of_codes():
    study = small_study()
    save(team=study.team, file=codebook_files.read(TABLE), by=None, now=NOW, name="Book")
    with pytest.raises(CodebookIsFinal):
        Code.objects.update(name="Other")
    for table, column in (("judging_code", "name"), ("judging_codebookversion", "source")):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"UPDATE {table} SET {column} = 'Other'")
    study.team.codebooks.all().delete()
    assert not Code.objects.exists()


def test_the_command_imports_lists_and_exports(tmp_path):
    study = small_study()
    path = tmp_path / "book.csv"
    path.write_bytes(TABLE)
    out = StringIO()
    call_command("codebook", study.slug, "import", str(path), "--name", "Book", stdout=out)
    call_command("codebook", study.slug, "import", "evaluation-study", stdout=out)
    listed = StringIO()
    call_command("codebook", study.slug, "list", stdout=listed)
    rows = [json.loads(line) for line in listed.getvalue().splitlines()]
    assert [(row["version"], row["codes"]) for row in rows] == [(1, 3), (1, 34)]
    call_command("codebook", study.slug, "export", "Book", "--out", str(tmp_path / "out.json"))
    assert keys_of(codebook_files.read((tmp_path / "out.json").read_bytes())) == list(KEYS)


def test_the_api_imports_lists_and_exports(client):
    study = commented_study(workers=1, responses=2)
    client.force_login(rita())
    address = f"/api/studies/{study.slug}/1/codebooks/"
    bad = client.post(address, {"content": "{"}, content_type="application/json")
    assert bad.status_code == 422
    content = {"content": TABLE.decode(), "name": "Book"}
    made = client.post(address, content, content_type="application/json")
    assert made.status_code == 201
    (row,) = client.get(address).json()
    assert (row["name"], row["version"], row["codes"]) == ("Book", 1, 3)
    file = client.get(f"{address}{row['id']}/file/", {"as": "csv"})
    assert keys_of(codebook_files.read(file.content)) == list(KEYS)
    assert coding_of(study).version.number == 1
