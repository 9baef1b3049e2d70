"""The pages of docs/methods/ name the defaults, files and analyses that the code has."""

import ast
import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

from analysis.analyses.catalogue import CATALOGUE
from analysis.inputs.settings import COMPAT, DEFAULTS, complete
from docs import result_columns as columns_page

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs" / "methods"
DEFAULTS_PAGE = DOCS / "defaults.md"
PAGES = sorted(DOCS.glob("*.md"))
REFERENCE = {
    *("columns", "defaults", "index", "papers", "published-tables", "reproducibility", "sources"),
}
METHOD_PAGES = [page for page in PAGES if page.stem not in REFERENCE]
SECTIONS = [
    "Question",
    "When to use",
    "Formula",
    "Assumptions",
    "Columns",
    "Example",
    "Validated",
    "References",
]
STATS = {path.stem: path for path in (ROOT / "analysis" / "stats").rglob("*.py")}
ROW = re.compile(r"^\| `([\w.*]+)` \| `(\w+)` \| `([^`]+)` \|", re.MULTILINE)


def table():
    """Return the documented defaults: function -> parameter -> default."""
    section = DEFAULTS_PAGE.read_text(encoding="utf-8")
    said = {}
    for function, parameter, default in ROW.findall(section):
        assert parameter not in said.setdefault(function, {}), f"{function} {parameter} twice"
        said[function][parameter] = ast.literal_eval(default)
    return said


SAID = table()
COMMON = SAID.pop("*")


@pytest.mark.parametrize("function", SAID)
def test_the_defaults_are_those_of_the_code(function):
    module, name = function.split(".")
    dotted = ".".join(STATS[module].relative_to(ROOT).with_suffix("").parts)
    signature = inspect.signature(getattr(import_module(dotted), name))
    has = {
        name: parameter.default
        for name, parameter in signature.parameters.items()
        if parameter.default is not parameter.empty
    }
    common = {name: default for name, default in COMMON.items() if name in has}
    assert common | SAID[function] == has


def test_the_parameters_of_a_run_are_told_with_their_defaults():
    matches = re.findall(
        r"^\| `(\w+)` \| `([^`]+)` \|[^|]*\| (?:the same|`([^`]+)`) \|$",
        DEFAULTS_PAGE.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    parameters = {name: ast.literal_eval(default) for name, default, _ in matches}
    assert parameters == {name: DEFAULTS[name] for name in DEFAULTS if name != "compat"}
    published = {name: ast.literal_eval(value) for name, _, value in matches if value}
    assert parameters | published | {"compat": COMPAT} == complete({"compat": COMPAT})


def text_of(page):
    return page.read_text(encoding="utf-8")


def test_the_files_that_the_methods_name_are_there():
    named = {name for page in PAGES for name in re.findall(r"`(\w+\.py)`", text_of(page))}
    assert named
    assert named <= {path.name for path in STATS.values()}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_of_a_page_lead_to_files(page):
    for link in re.findall(r"\]\((?!https?:)([^)#]*)(?:#[^)]*)?\)", text_of(page)):
        assert (page.parent / link).is_file(), link


def test_the_index_links_every_page():
    linked = set(re.findall(r"\]\(([\w-]+\.md)\)", text_of(DOCS / "index.md")))
    assert linked == {page.name for page in PAGES} - {"index.md"}


def test_every_analysis_is_named_on_a_page():
    """By a link to its columns."""
    pages = [page for page in PAGES if page != columns_page.PAGE]
    text = "\n".join(text_of(page) for page in pages)
    assert [name for name in CATALOGUE if f"columns.md#{name})" not in text] == []


@pytest.mark.parametrize("page", METHOD_PAGES, ids=lambda page: page.stem)
def test_page_of_a_method_has_its_sections_in_order(page):
    headings = re.findall(r"^## (.*)$", text_of(page), re.MULTILINE)
    assert headings == SECTIONS
    bodies = re.split(r"^## .*$", text_of(page), flags=re.MULTILINE)[1:]
    assert all(body.strip() for body in bodies)
    example, validated = (bodies[SECTIONS.index(name)] for name in ("Example", "Validated"))
    assert re.search(r"\d", example)
    assert re.search(r"\d", validated)


def test_the_page_of_columns_is_that_of_the_code():
    assert text_of(columns_page.PAGE) == columns_page.page()


@pytest.mark.parametrize("page", METHOD_PAGES, ids=lambda page: page.stem)
def test_columns_of_a_page_are_in_the_page_of_columns(page):
    sections = re.findall(r"^## (.*)$", text_of(columns_page.PAGE), re.MULTILINE)
    anchors = {section.lower().replace(" ", "-") for section in sections}
    assert set(re.findall(r"columns\.md#([\w-]+)", text_of(page))) <= anchors
