"""Statements that save judgments: insert, replace, or leave what is newer."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, get_args

from django.db import connection

from annotation.fieldwork.work.prepared_statements import fetch
from judging.answering.locked_assignment import LockedAssignment
from judging.models import Judgment


class JudgmentRow(NamedTuple):
    """A judgment to save; the fields are columns of the table."""

    rater_id: int
    item_id: int
    question_id: int
    slot: str
    shown: str
    assignment_id: int
    raw: str
    value: str
    score: float | None
    milliseconds: int | None
    comment: str
    changes: int
    first_at: Any
    answered_at: Any
    number: int


def rounds(rows: Iterable[JudgmentRow]) -> list[list[JudgmentRow]]:
    """Return the rows in rounds with one answer to a question each.

    An offline page sends a changed answer in one request; PostgreSQL refuses to touch a row twice
    in one statement.
    """
    found: list[list[JudgmentRow]] = []
    times: dict[tuple[int, int, str], int] = defaultdict(int)
    for row in rows:
        key = (row.item_id, row.question_id, row.slot)
        if times[key] == len(found):
            found.append([])
        found[times[key]].append(row)
        times[key] += 1
    return found


ROWS_A_STATEMENT = 50  # SQLite takes some thousand parameters
FEW_ROWS = 3  # psycopg keeps a parsed statement of up to 50 parameters; arrays cost more to send
# A late answer writes nothing, nor does the same one again; an answer without a number is the
# newest. `changes` counts those that differ from the one before.
UPSERT = f"""
INSERT INTO judging_judgment AS j ({", ".join(JudgmentRow._fields)}) {{rows}}
ON CONFLICT (rater_id, item_id, question_id, slot, shown) DO UPDATE SET
changes = j.changes + (CASE WHEN j.raw = excluded.raw THEN 0 ELSE 1 END), raw = excluded.raw,
value = excluded.value, score = excluded.score, milliseconds = excluded.milliseconds,
comment = excluded.comment, assignment_id = excluded.assignment_id,
answered_at = excluded.answered_at,
number = CASE WHEN excluded.number = 0 THEN j.number ELSE excluded.number END
WHERE excluded.number > j.number OR excluded.number = 0 AND (j.raw <> excluded.raw
OR j.comment <> excluded.comment OR j.assignment_id <> excluded.assignment_id)
RETURNING number
"""
TYPES = {int: "bigint", str: "text", float: "float8"}
SHARED = {"rater_id": "bigint", "assignment_id": "bigint", "changes": "int"} | dict.fromkeys(
    ("first_at", "answered_at"), "timestamptz"
)  # one value for all rows of a request
OWN = {
    name: TYPES[next(each for each in TYPES if each in (get_args(kind) or (kind,)))]
    for name, kind in JudgmentRow.__annotations__.items()
    if name not in SHARED
}
# One text for any number of rows, so that psycopg parses it and PostgreSQL plans it once.
UNNESTED = UPSERT.format(
    rows="SELECT "
    + ", ".join(f"%s::{SHARED[name]}" if name in SHARED else name for name in JudgmentRow._fields)
    + f" FROM unnest({', '.join(f'%s::{kind}[]' for kind in OWN.values())}) AS r({', '.join(OWN)})"
)


# The condition is read again after waiting for a lock, so no change in between is overlooked.
GUARDED = """
WITH unchanged AS (
    SELECT id FROM annotation_assignment
    WHERE id = %s AND xmin = CAST(CAST(CAST(%s AS bigint) AS text) AS xid) FOR NO KEY UPDATE
), saved AS ({upsert})
SELECT EXISTS (SELECT FROM unchanged), ARRAY(SELECT number FROM saved)
"""
CASTS = {name: SHARED.get(name) or OWN[name] for name in JudgmentRow._fields}
GUARDED_UNNESTED = GUARDED.format(
    upsert=UNNESTED.replace(f" AS r({', '.join(OWN)})", f" AS r({', '.join(OWN)}), unchanged")
)
GUARDED_ROW = f"({', '.join(f'%s::{kind}' for kind in CASTS.values())})"
GUARDED_FEW = {
    n: GUARDED.format(
        upsert=UPSERT.format(
            rows=f"SELECT r.* FROM (VALUES {', '.join([GUARDED_ROW] * n)}) AS r, unchanged"
        )
    )
    for n in range(1, FEW_ROWS + 1)
}


def upsert_if_unchanged(rows: Sequence[JudgmentRow], work: LockedAssignment) -> set[int] | None:
    """Insert or replace answers; return the numbers written, or None after a change."""
    if len(rows) > FEW_ROWS:
        query, values = GUARDED_UNNESTED, _columns(rows)
    else:
        query, values = GUARDED_FEW[len(rows)], [value for row in rows for value in row]
    ((is_unchanged, numbers),) = fetch(query, [work.assignment, work.version, *values])
    return set(numbers) if is_unchanged else None


def _columns(rows: Sequence[JudgmentRow]) -> list[Any]:
    """Return the parameters of `UNNESTED`."""
    shared = [getattr(rows[0], name) for name in JudgmentRow._fields if name in SHARED]
    columns = [[getattr(row, name) for row in rows] for name in OWN]
    # Options have whole scores, ranges floats: psycopg sends no list of both.
    place = list(OWN).index("score")
    columns[place] = [None if score is None else float(score) for score in columns[place]]
    return [*shared, *columns]


def upsert(rows: Iterable[JudgmentRow]) -> set[int]:
    """Save judgments of an assignment; return the numbers of those that were written."""
    return {number for some in rounds(rows) for number in _upsert(some)}


def _upsert(rows: Sequence[JudgmentRow]) -> set[int]:
    """Insert or replace answers; return the numbers of the rows that were written."""
    if connection.vendor == "postgresql" and len(rows) > FEW_ROWS:
        return {number for (number,) in fetch(UNNESTED, _columns(rows))}
    written = set()
    row = f"({', '.join(['%s'] * len(JudgmentRow._fields))})"
    for start in range(0, len(rows), ROWS_A_STATEMENT):
        some = rows[start : start + ROWS_A_STATEMENT]
        values = [value for values_of_row in some for value in values_of_row]
        query = UPSERT.format(rows="VALUES " + ", ".join([row] * len(some)))
        written |= {number for (number,) in fetch(query, values)}
    return written


def late(unwritten: Sequence[JudgmentRow]) -> list[int]:
    """Return the numbers of answers with a newer one; the others were sent twice."""
    if not unwritten:
        return []
    key = ("rater_id", "item_id", "question_id", "slot", "shown")
    items = {row.item_id for row in unwritten}
    saved_numbers = Judgment.objects.filter(rater=unwritten[0].rater_id, item__in=items)
    newest = {
        tuple(key_values): number
        for *key_values, number in saved_numbers.values_list(*key, "number")
    }
    return [
        row.number
        for row in unwritten
        if newest.get(tuple(getattr(row, name) for name in key), 0) > row.number
    ]
