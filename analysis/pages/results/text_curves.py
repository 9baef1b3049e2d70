"""Curves of texts: a line for each style and origin."""

from collections.abc import Callable
from typing import Any

from analysis.pages.results.run_results import RunResults
from analysis.plots import Curve, CurvePoint

Row = dict[str, Any]


def by_style_and_origin(found: RunResults, rows: list[Row]) -> dict[str, list[Row]]:
    """Rows by style and origin, in words."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        name = f"{found.words.of(row['style'])}, {found.words.of(row['origin'])}"
        groups.setdefault(name, []).append(row)
    return groups


def curves_of(
    found: RunResults,
    rows: list[Row],
    x: Callable[[Row], float],
    n: Callable[[list[Row]], int | None],
) -> list[Curve]:
    return [
        Curve(
            name,
            [
                CurvePoint(x(row), row["value"], row.get("low"), row.get("high"))
                for row in members
                if row["value"] is not None
            ],
            n(members),
        )
        for name, members in by_style_and_origin(found, rows).items()
    ]
