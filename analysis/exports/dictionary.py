"""Data dictionaries of exported files: DATA.md of a bundle, and the tables of the guide."""

import re
from collections.abc import Iterator, Mapping, Sequence

from django.conf import settings

from analysis.exports.catalogue import TABLES
from analysis.exports.export_column import Columns
from analysis.exports.source import ExportQuestion, ExportSource

INTRODUCTION = """\
Exported from Crowdwright. manifest.json contains the source, the date and checksums.

- `.jsonl.gz` files contain one JSON object per line, compressed with gzip. `.csv` files are UTF-8
  with a header, without a byte order mark, with all texts unchanged. For Excel, download the files
  *for Excel* on the page *Export*.
- Each column has one type: whole numbers, numbers or text. A column may be empty in many rows; in
  polars, set `infer_schema_length=None` to read all rows for the types.
- ratings.csv has one row per vote, from the lists in ratings.jsonl.gz.
- tables/ contains all tables of the analysis, as CSV with full precision and as LaTeX (package
  booktabs) with rounded numbers. The first line of a .tex file names the run and its input digest.
- Workers appear by pseudonym only. Workers who withdrew are not included.
- Rejected, returned and unfinished work is only in assignments, participants, other_answers,
  comments and written_texts; see the columns `state` and `finished`.
"""

GUIDE = settings.BASE_DIR / "docs" / "data-dictionary.md"
# A section of the guide up to its table, and the rows of that.
_TABLE = re.compile(
    r"(?P<before>^## (?P<name>\w+)\n(?:(?!## ).*\n)*?\| column .*\n\|---.*\n)(?:\|.*\n)*",
    re.MULTILINE,
)


def describe(source: ExportSource, files: Mapping[str, Sequence[str]]) -> str:
    """Return the data dictionary of a bundle, in Markdown; `files` are those of each table."""
    study = source.study
    lines = [f"# {_line(study.title)} ({study.slug}, version {study.version})", "", INTRODUCTION]
    for table in TABLES.values():
        if names := files.get(table.name):
            lines += [f"## {table.title}", "", f"{', '.join(names)}", ""]
            lines += ["| column | meaning |", "|---|---|", *_rows(source, table.columns), ""]
    lines += ["## Questions", "", *map(_question, source.questions), ""]
    return "\n".join(lines)


def _rows(source: ExportSource, columns: Columns) -> Iterator[str]:
    for column in columns:
        for key, meaning in column.described(source):
            yield f"| {key} | {meaning} |"


def _question(asked: ExportQuestion) -> str:
    answers = ", ".join(f"{asked.cell(label)}" for label in asked.labels) or asked.kind
    return f"- `{asked.key}`: {_line(asked.text)} ({answers})"


def _line(text: str) -> str:
    return " ".join(text.split())


def save_guide() -> None:
    """Save the guide with its tables as the columns declare them."""
    GUIDE.write_text(updated_guide(GUIDE.read_text()))


def updated_guide(text: str) -> str:
    """Return docs/data-dictionary.md with the rows of its tables as the columns declare them."""
    return _TABLE.sub(_guide_table, text)


def _guide_table(match: re.Match[str]) -> str:
    table = TABLES.get(match["name"])
    if table is None:
        return match[0]
    rows = [f"{row}\n" for column in table.columns if (row := column.guide_row)]
    return f"{match['before']}{''.join(rows)}"
