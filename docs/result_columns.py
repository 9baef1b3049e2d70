"""Writes docs/methods/columns.md: `.venv/bin/python -m docs.result_columns`."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from analysis.inputs.columns import Column

PAGE = Path(__file__).parent / "methods" / "columns.md"
HEAD = """# Columns of result tables

Every column that result pages and `tables/` of an export explain, by analysis. *Key* is the \
header of the CSV file, *title* that of the page. The analyses declare them \
(`analysis/analyses/`), and `.venv/bin/python -m docs.result_columns` writes this page. The files \
of votes, workers and texts are in the [data dictionary](../data-dictionary.md).
"""


def page() -> str:
    """Return the page with a section for each analysis."""
    from analysis.analyses.catalogue import CATALOGUE
    from analysis.inputs.columns import COLUMNS

    sections = ["## Shared columns\n\nUnless an analysis has its own.\n\n" + _table(COLUMNS)]
    for name, analysis in CATALOGUE.items():
        columns = dict(analysis.columns)
        for table, others in analysis.table_columns.items():
            columns |= {f"{key} ({table})": column for key, column in others.items()}
        section = f"## {name}\n\n*{analysis.title}*: {analysis.answers}\n"
        sections.append(f"{section}\n{_table(columns)}" if columns else section)
    return "\n".join([HEAD, *sections])


def _table(columns: "Mapping[str, Column]") -> str:
    return "".join(
        f"{line}\n" for line in ("| key | title | meaning |", "|---|---|---|", *_rows(columns))
    )


def _rows(columns: "Mapping[str, Column]") -> Iterator[str]:
    for key, column in columns.items():
        if not column.hidden:
            title = column.title or key.partition(" (")[0].replace("_", " ").capitalize()
            name, _, table = key.partition(" (")
            where = f" ({table}" if table else ""
            yield f"| `{name}`{where} | {title} | {column.meaning} |"


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    PAGE.write_text(page(), encoding="utf-8")
