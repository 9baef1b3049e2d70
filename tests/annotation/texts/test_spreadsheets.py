"""CSV for programs is unchanged; in CSV for Excel no spreadsheet computes anything."""

import csv
import io
import re
from pathlib import Path

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from annotation.texts.spreadsheets import BOM, Csv, guarded, is_for_excel, unguarded

SIGNS = "=+-@＝＋－＠"
TEXTS = st.text("'\"=-+@;,\t\r\n ab＝ä")


@given(st.lists(TEXTS, min_size=1))
def test_csv_for_programs_has_every_text_as_it_is(texts):
    data = Csv().lines([("text",), *((text,) for text in texts)])
    rows = list(csv.DictReader(io.StringIO(data, newline="")))
    assert [row["text"] for row in rows] == texts
    assert not data.startswith(BOM)


@given(st.lists(TEXTS, min_size=1))
def test_csv_for_excel_has_a_mark_and_no_formula_and_is_undone(texts):
    table = Csv(excel=True)
    data = table.lines([("text",)]) + "".join(table.lines([(text,)]) for text in texts)
    assert data.startswith(BOM)
    assert BOM not in data[1:]
    cells = [row["text"] for row in csv.DictReader(io.StringIO(data[1:], newline=""))]
    assert not [cell for cell in cells if re.match(f"[{re.escape(SIGNS)}\t\r\n]", cell)]
    assert not [cell for cell in cells if re.search(f'[;\t\r\n]"*[{re.escape(SIGNS)}]', cell)]
    assert [unguarded(cell) for cell in cells] == texts


@pytest.mark.parametrize("sign", SIGNS)
def test_a_sign_begins_no_cell(sign):
    assert guarded(f"{sign}1+1") == f"'{sign}1+1"
    assert guarded(sign) == f"'{sign}"


@pytest.mark.parametrize("blank", ["\t", "\r", "\n"])
def test_nothing_hides_behind_a_blank(blank):
    assert guarded(f"{blank}x") == f"'{blank}x"
    assert guarded(f"{blank}=1") == f"'{blank}'=1"


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("separator", [";", "\t", "\n", "\r\n", ";;", ';"', ';""'])
def test_no_cell_of_a_spreadsheet_with_other_separators_is_a_formula(separator, sign):
    """Excel in most of Europe separates by semicolons, and then sees no quotes of ours."""
    text = guarded(f"a{separator}{sign}cmd|' /C calc'!A0;b")
    assert not re.search(f'[;\t\r\n]"*[{re.escape(SIGNS)}]', text)
    assert text.replace("'", "", 1) == f"a{separator}{sign}cmd|' /C calc'!A0;b"


@pytest.mark.parametrize("cell", ["", "a=1", " =1", "1-2", "a; =1", "a;b", "a\nb", "a\n• b"])
def test_it_leaves_other_texts_alone(cell):
    assert guarded(cell) == cell


def test_numbers_stay_numbers():
    assert Csv(excel=True).lines([(-1, -0.5, None)]) == f"{BOM}-1,-0.5,\r\n"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *(("votes.excel.csv", True), ("study-v1-votes.excel.csv", True)),
        *(("votes.excel (1).csv", True), ("VOTES.EXCEL.CSV", True), ("votes.excel.csv.gz", True)),
        *(("excel.csv", False), ("votes.csv", False), ("excellent.csv", False)),
        *(("a.excel/votes.csv", False), ("votes.excel.jsonl", False)),
    ],
)
def test_our_files_for_excel_are_known_by_their_names(name, expected):
    assert is_for_excel(name) is expected


def test_all_csv_is_written_in_one_place():
    writers = [
        file.relative_to(settings.BASE_DIR).as_posix()
        for app in ("annotation", "writing", "judging", "analysis", "config")
        for file in Path(settings.BASE_DIR, app).rglob("*.py")
        if re.search(r"csv\.(writer|DictWriter)|\.to_csv\(|to_excel\(", file.read_text())
    ]
    assert writers == ["annotation/texts/spreadsheets.py"]
