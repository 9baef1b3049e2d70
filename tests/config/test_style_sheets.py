"""The style sheets: pages load what there is, and rules are for what pages write."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.services.children import ROOT

SHEETS = sorted((ROOT / "static" / "css").glob("*.css"))
WRITERS = (
    "static/js/**/*.js",
    "*/templatetags/*.py",
    "analysis/plots/*.py",
    "*/texts/markdown/*.py",
)

OF_KATEX = {"katex", "katex-display", "katex-error"}  # written by the library
NO_SELECTOR = re.compile(r"/\*.*?\*/|\{[^{}]*\}", re.DOTALL)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
BODY = re.compile(r"[\w-]+:[^{};]*;")
LOADED = re.compile(r"""['"]css/([^'"]+)['"]""")
IMPORTED = re.compile(r'@import "\./([^"]+)"')
PARTS = re.compile(r"""{%\s*(?:extends|include)\s+"([^"]+)\"""")
CLASS = re.compile(r"\.([a-z][\w-]*)", re.IGNORECASE)
ATTRIBUTE = re.compile(r"\[([a-z][\w-]*)")
NAME = re.compile(r"-{0,2}[A-Za-z][\w-]*")
TOKEN = re.compile(r"(--[\w-]+):")
USED_TOKEN = re.compile(r"var\((--[\w-]+)")
TAG = re.compile(r"\{%.*?%\}")
VALUE = re.compile(r"\{\{.*?\}\}")
FILLED = re.compile(r'\$?\{[^{}"]*\}')
STRING = re.compile(r"""(["'`])((?:(?!\1).)*)\1""")


def test_every_sheet_is_loaded_by_a_page_and_what_pages_load_is_there():
    pages = (ROOT / "templates").rglob("*.html")
    loaded = {name for page in pages for name in _loaded_by(page)}
    assert loaded == {sheet.name for sheet in SHEETS}


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: str(sheet.stem))
def test_every_class_of_a_sheet_is_written_by_a_page(sheet: Path):
    wanted = set(CLASS.findall(NO_SELECTOR.sub(" ", sheet.read_text())))
    assert sorted(wanted - written() - {name for name in wanted if name.startswith(begun())}) == []


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: str(sheet.stem))
def test_every_attribute_of_a_sheet_is_written(sheet: Path):
    wanted = set(ATTRIBUTE.findall(NO_SELECTOR.sub(" ", sheet.read_text())))
    assert sorted(name for name in wanted if not {name, _in_scripts(name)} & names()) == []


def test_every_token_is_used():
    rules = " ".join(_rules(sheet) for sheet in SHEETS)
    used = set(USED_TOKEN.findall(rules)) | names()
    assert sorted(set(TOKEN.findall(rules)) - used) == []


def _in_scripts(attribute: str) -> str:
    """Return the name of a data attribute in `dataset`: data-is-cited is isCited."""
    return re.sub(r"-(\w)", lambda match: match[1].upper(), attribute.removeprefix("data-"))


@cache
def names() -> frozenset[str]:
    """Every name in templates, scripts and modules."""
    files = [ROOT.glob(pattern) for pattern in ("templates/**/*.html", *WRITERS)]
    texts = (file.read_text() for group in files for file in group)
    return frozenset(name for text in texts for name in NAME.findall(text))


def test_every_page_loads_the_sheets_of_its_classes():
    """A class that some sheet knows looks like nothing on a page that does not load it."""
    known = {sheet.name: frozenset(CLASS.findall(BODY.sub(" ", _rules(sheet)))) for sheet in SHEETS}
    for page in (ROOT / "templates").rglob("[!_]*.html"):
        parts = _with_parts(page)
        loaded = {sheet for part in parts for sheet in _loaded_by(part)}
        if not loaded:
            continue  # a report that brings its own style
        styled = frozenset().union(*(known[sheet] for sheet in loaded))
        for part in parts:
            elsewhere = _classes(part) & frozenset().union(*known.values()) - styled
            assert not elsewhere, f"{page.name}, {part.name}: {sorted(elsewhere)}"


def _loaded_by(page: Path) -> set[str]:
    """Return the sheets that a template names, and those that they import."""
    named = set(LOADED.findall(page.read_text()))
    sheets = [ROOT / "static" / "css" / name for name in named]
    return named | {name for sheet in sheets for name in IMPORTED.findall(sheet.read_text())}


def _rules(sheet: Path) -> str:
    return COMMENT.sub(" ", sheet.read_text())


def _with_parts(page: Path) -> frozenset[Path]:
    """Return the page, what it extends and what it includes, and so on."""
    found: set[Path] = set()
    waiting = [page]
    while waiting:
        part = waiting.pop()
        if part not in found and part.exists():
            found.add(part)
            waiting += [ROOT / "templates" / name for name in PARTS.findall(part.read_text())]
    return frozenset(found)


def _classes(page: Path) -> frozenset[str]:
    """Return the classes that are written out; none that is put together."""
    text = VALUE.sub("\0", page.read_text())
    words = (TAG.sub(" ", said) for said in re.findall(r'\bclass="([^"]*)"', _single(text)))
    return frozenset(word for said in words for word in said.split() if "\0" not in word)


def _single(text: str) -> str:
    """With single quotes in tags, so that a double one ends an attribute."""
    return TAG.sub(lambda tag: tag[0].replace('"', "'"), text)


@cache
def written() -> frozenset[str]:
    """Every word that a page can have as a class."""
    return frozenset(re.findall(r"[A-Za-z][\w-]*", " ".join(_texts()))) | OF_KATEX


@cache
def begun() -> tuple[str, ...]:
    """Those that end with what is filled in: `turn-{{ role }}`."""
    return tuple(word for word in written() if word.endswith("-"))


def _texts() -> Iterator[str]:
    for page in (ROOT / "templates").rglob("*.html"):
        text = _single(VALUE.sub(" ", page.read_text()))
        yield from (TAG.sub(" ", classes) for classes in re.findall(r'\bclass="([^"]*)"', text))
        # A tag hands classes on in small letters; a sentence begins with a capital.
        handed = (said for tag in TAG.findall(text) for _, said in STRING.findall(tag))
        yield from (said for said in handed if said.islower())
    for pattern in WRITERS:
        for file in ROOT.glob(pattern):
            yield from (said for _, said in STRING.findall(FILLED.sub(" ", file.read_text())))
