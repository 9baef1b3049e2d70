"""Export of which answers support which bank entries, as nuggetizer assignments.

Each line is an answer: qid, query, run_id, answer_text and nuggets. A nugget has a text, an
importance and an assignment: support, partial_support, not_support, or failed without a grade.
The mean of several raters is rounded to 1, 0.5 or 0, ties to the lower value. The nuggetizer
format has no avoided or secret entries, so both are left out.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from analysis.stats.retrieval.entry_values import EntryValues
from analysis.stats.retrieval.nugget_scores import AVOID, OKAY, SUPPORT
from annotation.models import Response
from judging.banks.entries_at import EntryAt
from judging.banks.secrets import public_entries
from judging.models import Bank

NO_GRADE = "failed"  # nuggetizer's term for a missing assignment


def assignment_lines(bank: Bank, values: EntryValues, entries: Sequence[EntryAt]) -> Iterator[str]:
    """Yield the lines of the file, sorted by topic and system."""
    column = {key: at for at, key in enumerate(values.entries)}
    row = {key: at for at, key in enumerate(values.systems)}
    by_topic: dict[int, list[EntryAt]] = defaultdict(list)
    for entry in public_entries(bank, entries):
        if entry.importance != AVOID and entry.key in column:
            by_topic[entry.topic_id].append(entry)
    answers = Response.objects.filter(topic__in=by_topic, system__key__in=row, is_empty=False)
    columns = ("topic", "topic__key", "topic__query", "system__key", "text")
    for topic, key, query, system, text in answers.order_by(
        "topic", "system__key", "pk"
    ).values_list(*columns):
        given = values.values[row[system]]
        nuggets = [_nugget(entry, float(given[column[entry.key]])) for entry in by_topic[topic]]
        line = {"qid": key, "query": query, "run_id": system, "answer_text": text}
        yield json.dumps(line | {"nuggets": nuggets}, ensure_ascii=False)


def _nugget(entry: EntryAt, value: float) -> dict[str, Any]:
    return {
        "text": entry.text,
        "importance": entry.importance or OKAY,
        "assignment": _assignment(value),
    }


def _assignment(value: float) -> str:
    """Return the nearest assignment, rounding ties to the lower one."""
    if value != value:
        return NO_GRADE
    return min(SUPPORT, key=lambda name: (abs(SUPPORT[name] - value), SUPPORT[name]))
