"""Modules that call themselves pure are among those that may not import Django (pyproject.toml)."""

import ast
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
APPS = ("annotation", "analysis", "judging", "writing")


def test_import_linter_checks_every_module_that_says_pure() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    (forbidden,) = (
        contract for contract in contracts["contracts"] if contract["name"].startswith("Pure")
    )
    checked = tuple(forbidden["source_modules"])
    pure = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for app in APPS
        for path in (ROOT / app).rglob("*.py")
        if re.search(r"\bPure\b", ast.get_docstring(ast.parse(path.read_text())) or "")
    ]
    assert len(pure) > 50
    assert [
        name for name in pure if not any(f"{name}.".startswith(f"{each}.") for each in checked)
    ] == []
