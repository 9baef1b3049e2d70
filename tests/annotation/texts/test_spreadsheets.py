"""What no spreadsheet may calculate, in whatever CSV it stands."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from annotation.texts.spreadsheets import defused

SIGNS = "=+-@＝＋－＠"


@pytest.mark.parametrize("sign", SIGNS)
def test_a_sign_begins_no_cell(sign):
    assert defused(f"{sign}1+1") == f"'{sign}1+1"
    assert defused(sign) == f"'{sign}"


@pytest.mark.parametrize("blank", ["\t", "\r", "\n"])
def test_nothing_hides_behind_a_blank(blank):
    assert defused(f"{blank}x") == f"'{blank}x"
    assert defused(f"{blank}=1") == f"'{blank}'=1"


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("separator", [";", "\t", "\n", "\r\n", ";;", ';"', ';""'])
def test_no_cell_of_a_spreadsheet_with_other_separators_is_a_formula(separator, sign):
    """Excel in most of Europe separates by semicolons, and then sees no quotes of ours."""
    text = defused(f"a{separator}{sign}cmd|' /C calc'!A0;b")
    assert not re.search(f'[;\t\r\n]"*[{re.escape(SIGNS)}]', text)
    assert text.replace("'", "", 1) == f"a{separator}{sign}cmd|' /C calc'!A0;b"


@pytest.mark.parametrize(
    "cell", [-1, -0.5, 0, None, "", "a=1", " =1", "1-2", "'=1", "a; =1", "a;b", "a\nb", "a\n• b"]
)
def test_it_leaves_numbers_and_other_texts_alone(cell):
    assert defused(cell) == cell


def test_everybody_who_writes_csv_defuses_it():
    writers = [
        file.relative_to(settings.BASE_DIR).as_posix()
        for app in ("annotation", "writing", "judging", "analysis", "config")
        for file in Path(settings.BASE_DIR, app).rglob("*.py")
        if re.search(r"csv\.(writer|DictWriter)|\.to_csv\(|to_excel\(", source := file.read_text())
        and "defused(" not in source
    ]
    assert not writers
