"""Saving imported labels as judgments of a rater, with a report."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext

from annotation.corpora.import_report import MOST_SHOWN
from annotation.corpora.schema import BadLine
from judging.models import Judgment, Rater

AT_ONCE = 1000  # labels that are written together
Key = tuple[int, int, str, str]  # item, question, slot, shown


class ImportedLabel(NamedTuple):
    """A line in the terms of the study; without times it is of the moment of the import."""

    line: int
    key: Key
    raw: str
    value: str
    score: float | None
    comment: str
    first_at: datetime | None = None
    answered_at: datetime | None = None


@dataclass
class LabelReport:
    """Counts of a file, with the first thousand bad lines and remarks.

    `foreign` counts the lines by question and value, for values that are no answer, and
    `foreign_questions` by the question, for those that the study does not ask.
    """

    file: str
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    of_others: int = 0
    items: int = 0
    bad_line_count: int = 0
    bad_lines: list[BadLine] = field(default_factory=list)
    remark_count: int = 0
    remarks: list[BadLine] = field(default_factory=list)
    foreign: Counter[tuple[str, str]] = field(default_factory=Counter)
    foreign_questions: Counter[str] = field(default_factory=Counter)

    def refuse(self, bad: BadLine) -> None:
        self.bad_line_count += 1
        if len(self.bad_lines) < MOST_SHOWN:
            self.bad_lines.append(bad)

    def remark(self, line: int, field: str, reason: str, *, file: str = "") -> None:
        self.remark_count += 1
        if len(self.remarks) < MOST_SHOWN:
            self.remarks.append(BadLine(file or self.file, line, field, reason))


def write_labels(
    rater: Rater, labels: list[ImportedLabel], now: datetime, report: LabelReport
) -> None:
    """Save labels as judgments and count them. The caller has locked the rater."""
    for start in range(0, len(labels), AT_ONCE):
        _write(rater, labels[start : start + AT_ONCE], now, report)


def _write(rater: Rater, labels: list[ImportedLabel], now: datetime, report: LabelReport) -> None:
    judgments = Judgment.objects.filter(
        rater=rater,
        question__in={label.key[1] for label in labels},
        item__in={label.key[0] for label in labels},
    )
    judgment_by_key = {(j.item_id, j.question_id, j.slot, j.shown): j for j in judgments}
    new, changed = [], []
    for label in labels:
        judgment = judgment_by_key.get(label.key)
        if judgment is None:
            new.append(_judgment(rater, label, now))
        elif judgment.value != label.value or label.comment not in ("", judgment.comment):
            if judgment.value != label.value:
                report.remark(
                    label.line,
                    "value",
                    gettext("changed from {value!r} to {value_2!r}").format(
                        value=judgment.value, value_2=label.value
                    ),
                )
            judgment.raw, judgment.value, judgment.score = label.raw, label.value, label.score
            judgment.comment = label.comment or judgment.comment
            judgment.answered_at = label.answered_at or now
            judgment.changes += 1
            changed.append(judgment)
        else:
            report.unchanged += 1
    Judgment.objects.bulk_create(new, batch_size=AT_ONCE)
    fields = ["raw", "value", "score", "comment", "answered_at", "changes"]
    Judgment.objects.bulk_update(changed, fields, batch_size=200)
    report.added += len(new)
    report.changed += len(changed)


def _judgment(rater: Rater, label: ImportedLabel, now: datetime) -> Judgment:
    item, question, slot, shown = label.key
    return Judgment(
        rater=rater,
        item_id=item,
        question_id=question,
        slot=slot,
        shown=shown,
        raw=label.raw,
        value=label.value,
        score=label.score,
        comment=label.comment,
        first_at=label.first_at or now,
        answered_at=label.answered_at or now,
    )
