"""Printed numbers of the paper, from printed.json: path of a cell -> number."""

import json
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("printed.json")


@cache
def printed() -> dict[str, float]:
    """Return every printed cell by its path; cells that are empty in print are left out."""
    content = _given()
    cells = dict(content["single"])
    for path, column in content["by_dimension"].items():
        cells |= dict(
            zip((path.format(name) for name in content["dimensions"]), column, strict=True)
        )
    return {path: float(value) for path, value in cells.items() if value is not None}


def approximate() -> frozenset[str]:
    """Return the cells that the paper itself prints as approximate."""
    return frozenset(_given()["approximate"])


def source() -> str:
    return str(_given()["source"])


@cache
def _given() -> dict[str, Any]:
    return dict(json.loads(FILE.read_text(encoding="utf-8")))
