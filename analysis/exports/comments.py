"""Export of participants' comments: on pages, as reasons for answers, and in forms."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from analysis.exports.assignments import is_finished
from analysis.exports.encodings import Row
from analysis.exports.export_column import INSTRUMENT, TEXT, WORK, ExportColumn
from analysis.exports.other_answers import CHECK, ITEM, POSITION
from analysis.exports.source import CannotExport, ExportSource
from analysis.inputs import judged_items
from annotation.models import Assignment
from judging.coding.comments import WRITTEN, Comment, comments_of, has_comments, items_of

COMMENTS = (
    *WORK,
    CHECK,
    *ITEM,
    replace(
        INSTRUMENT,
        meaning="key of the method of the page; only in studies with several methods",
        guide="",
    ),
    POSITION,
    ExportColumn(
        "kind", TEXT, "page",
        "page, reason (for an answer), entry or exit (text in the entry or exit form)",
    ),
    ExportColumn(
        "question", TEXT, "coherence",
        "key of the question that the reason is about, or of the form field; empty for a page",
    ),
    ExportColumn(
        "comment", TEXT, "Both texts are hard to read.", "text that the participant wrote",
    ),
)  # fmt: skip


def commented(source: ExportSource) -> None:
    """Raise CannotExport (no_comments) for studies without comments."""
    if not has_comments(source.study):
        raise CannotExport("no_comments", f"Study {source.study.slug} has no comments.")


def comments(source: ExportSource) -> Iterator[Row]:
    """Yield one row per comment on pages, then reasons, then forms, each sorted by assignment.

    Comments on secret entries are left out.
    """
    works = _works(source)
    roles, items = item_cells(source)
    for comment in comments_of(source.study, kinds=WRITTEN):
        if comment.item in source.silent_items:
            continue
        yield works[comment.assignment] | _cells(source, comment, roles, items)


def item_cells(source: ExportSource) -> tuple[dict[int, str], dict[int, Row]]:
    """Return the slot names of commented items, and their topic and slot cells."""
    rows = items_of(source.study)
    roles = {pk: role or "" for pk, role in rows.values_list("pk", "check_of__role")}
    cells: dict[int, Row] = {}

    for chunk in judged_items.items(study=source.study, step=source.step, rows=rows):
        cells |= {item.pk: source.item_columns(item) for item in chunk}
    return roles, cells


def _works(source: ExportSource) -> dict[int, Row]:
    names = ("pk", "task__key", "worker__pseudonym", "state")
    works = Assignment.objects.filter(study=source.study, started_at__isnull=False)
    return {
        pk: {
            "assignment": pk,
            "submission_id": key,
            "worker": worker,
            "state": state,
            "finished": is_finished(state),
        }
        for pk, key, worker, state in works.values_list(*names).iterator()
    }


def _cells(
    source: ExportSource, comment: Comment, roles: dict[int, str], items: dict[int, Row]
) -> Row:
    empty: dict[str, Any] = dict.fromkeys(("query_id", *source.slot_columns))
    item = comment.item or 0
    row: Row = {"check": roles.get(item, ""), **items.get(item, empty)}
    if source.instruments:
        row["instrument"] = source.instruments.get(comment.instrument or 0, "")
    return row | {
        "position": comment.position,
        "kind": comment.kind,
        "question": comment.question,
        "comment": comment.text,
    }
