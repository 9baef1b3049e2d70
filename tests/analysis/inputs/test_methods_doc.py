"""docs/methods.md names the defaults that the code has."""

import ast
import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

from analysis.inputs.settings import COMPAT, DEFAULTS, complete

ROOT = Path(__file__).resolve().parents[3]
DOC = ROOT / "docs" / "methods.md"
STATS = {path.stem: path for path in (ROOT / "analysis" / "stats").rglob("*.py")}
ROW = re.compile(r"^\| `([\w.*]+)` \| `(\w+)` \| `([^`]+)` \|", re.MULTILINE)


def table():
    """Return the documented defaults: function -> parameter -> default."""
    section = DOC.read_text(encoding="utf-8").split("\n## Defaults\n")[1].split("\n## ")[0]
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
    said = re.findall(
        r"^\| `(\w+)` \| `([^`]+)` \|[^|]*\| (?:the same|`([^`]+)`) \|$",
        DOC.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    parameters = {name: ast.literal_eval(default) for name, default, _ in said}
    assert parameters == {name: DEFAULTS[name] for name in DEFAULTS if name != "compat"}
    published = {name: ast.literal_eval(value) for name, _, value in said if value}
    assert parameters | published | {"compat": COMPAT} == complete({"compat": COMPAT})


def test_the_files_that_the_methods_name_are_there():
    named = set(re.findall(r"`(\w+\.py)`", DOC.read_text(encoding="utf-8")))
    assert named
    assert named <= {path.name for path in STATS.values()}


def test_links_within_the_document_lead_somewhere():
    text = DOC.read_text(encoding="utf-8")
    headings = {
        re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-")
        for heading in re.findall(r"^## (.+)$", text, re.MULTILINE)
    }
    assert set(re.findall(r"\]\(#([\w-]+)\)", text)) <= headings
    for name in re.findall(r"\]\(([\w-]+\.md)\)", text):
        assert (DOC.parent / name).is_file()
