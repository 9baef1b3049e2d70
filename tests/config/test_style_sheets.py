"""The style sheets: pages load what there is, and rules are for what pages write."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.services.children import ROOT

SHEETS = sorted((ROOT / "static" / "css").glob("*.css"))
WRITERS = ("static/js/**/*.js", "*/templatetags/*.py", "analysis/plots/*.py")

NO_SELECTOR = re.compile(r"/\*.*?\*/|\{[^{}]*\}", re.DOTALL)
CLASS = re.compile(r"\.([a-z][\w-]*)", re.IGNORECASE)
TAG = re.compile(r"\{%.*?%\}")
VALUE = re.compile(r"\{\{.*?\}\}")
FILLED = re.compile(r'\$?\{[^{}"]*\}')
STRING = re.compile(r"""(["'`])((?:(?!\1).)*)\1""")


def test_every_sheet_is_loaded_by_a_page_and_what_pages_load_is_there():
    pages = (page.read_text() for page in (ROOT / "templates").rglob("*.html"))
    loaded = {name for page in pages for name in re.findall(r"'css/([^']+)'", page)}
    assert loaded == {sheet.name for sheet in SHEETS}


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: str(sheet.stem))
def test_every_class_of_a_sheet_is_written_by_a_page(sheet: Path):
    wanted = set(CLASS.findall(NO_SELECTOR.sub(" ", sheet.read_text())))
    assert sorted(wanted - written() - {name for name in wanted if name.startswith(begun())}) == []


@cache
def written() -> frozenset[str]:
    """Every word that a page can have as a class."""
    return frozenset(re.findall(r"[A-Za-z][\w-]*", " ".join(_texts())))


@cache
def begun() -> tuple[str, ...]:
    """Those that end with what is filled in: `hue-${number}`, texts-{{ n }}."""
    return tuple(word for word in written() if word.endswith("-"))


def _texts() -> Iterator[str]:
    for page in (ROOT / "templates").rglob("*.html"):
        text = TAG.sub(lambda tag: tag[0].replace('"', "'"), VALUE.sub(" ", page.read_text()))
        yield from (TAG.sub(" ", classes) for classes in re.findall(r'\bclass="([^"]*)"', text))
        # A tag hands classes on in small letters; a sentence begins with a capital.
        handed = (said for tag in TAG.findall(text) for _, said in STRING.findall(tag))
        yield from (said for said in handed if said.islower())
    for pattern in WRITERS:
        for file in ROOT.glob(pattern):
            yield from (said for _, said in STRING.findall(FILLED.sub(" ", file.read_text())))
