"""Rows of the texts that LLM authors wrote or failed to write, with prompt, model and cost."""

import json
from collections.abc import Iterator

from analysis.exports.encodings import Row
from analysis.exports.export_column import (
    BOOLEAN,
    CURRENCY,
    MOMENT,
    NUMBER,
    STYLE,
    TEXT,
    TOPIC,
    WHOLE,
    ExportColumn,
)
from analysis.exports.source import CannotExport, ExportSource
from judging.authors.files import rows_of
from judging.models import AuthorCall

COLUMNS = (
    ExportColumn(
        "response", TEXT, "which-heat-1-author-7",
        "key of the response; empty if there is none",
    ),
    TOPIC,
    STYLE,
    ExportColumn("author", TEXT, "gpt-4o, cold", "name of the LLM author"),
    ExportColumn("model", TEXT, "gpt-4o-2024-08-06", "name of the model at the endpoint"),
    ExportColumn("endpoint", TEXT, "https://api.example.org/v1", "address of the endpoint"),
    ExportColumn("prompt", TEXT, "author v1", "name and version of the prompt"),
    ExportColumn("prompt_digest", TEXT, "8c1f03aa", "hash of the prompt"),
    ExportColumn(
        "settings", "object (text in CSV)", '{"temperature": 0, "max_tokens": 1000}',
        "settings of the model",
    ),
    ExportColumn(
        "state", TEXT, "answered",
        "state of the call: prepared, sent, answered, failed or unknown",
    ),
    ExportColumn("error", TEXT, "", "kind of failure; empty if there was none"),
    ExportColumn(
        "copied", BOOLEAN, "False",
        "whether an earlier call with the same prompt gave the answer, at no cost",
    ),
    ExportColumn("words", WHOLE, "251", "words of the response"),
    ExportColumn("tokens_in", WHOLE, "5104", "tokens of the prompt"),
    ExportColumn("tokens_out", WHOLE, "362", "tokens of the answer"),
    ExportColumn("cost", NUMBER, "0.0164", "cost of the call; empty if a price is unknown"),
    CURRENCY,
    ExportColumn("seconds", NUMBER, "6.2", "time to the answer"),
    ExportColumn("answered_at", MOMENT, "2026-03-01T10:15:00+00:00", "time of the answer"),
)  # fmt: skip


def authored(source: ExportSource) -> None:
    """Raise CannotExport (no_authors) if no model was asked for a text."""
    if not AuthorCall.objects.filter(round__study=source.study).exists():
        raise CannotExport("no_authors", f"Study {source.study.slug} has no texts by LLM authors.")


def calls(source: ExportSource) -> Iterator[Row]:
    for row in rows_of(source.study):
        yield row | {"currency": source.study.currency}


def in_cells(row: Row) -> Iterator[Row]:
    yield row | {"settings": json.dumps(row["settings"])}
