"""Saving imported labels as judgments of a rater, with a report."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext

from annotation.corpora.import_report import MOST_SHOWN
from annotation.corpora.problem_rows import MOST_SAMPLES, ProblemCount
from annotation.corpora.remedies import Remedy
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

    `rows` counts what was read, `labels` the rows that become labels, by question in `questions`
    and by name and kind of their rater in `raters`. `remedies` are the chosen ones by the code of
    a problem; `skipped` counts rows by that code. `foreign` counts the lines by question and
    value, for values that are no answer, and `foreign_questions` by the question, for those that
    the study does not ask.
    """

    file: str
    remedies: Mapping[str, str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)  # what each file is read as
    rows: int = 0
    labels: int = 0
    questions: Counter[str] = field(default_factory=Counter)
    raters: Counter[tuple[str, str]] = field(default_factory=Counter)
    problems: dict[str, ProblemCount] = field(default_factory=dict)
    skipped: Counter[str] = field(default_factory=Counter)
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    of_others: int = 0
    items: int = 0
    bad_line_count: int = 0
    bad_lines: list[BadLine] = field(default_factory=list)
    without_content: set[tuple[str, int]] = field(default_factory=set)  # file and line
    remark_count: int = 0
    remarks: list[BadLine] = field(default_factory=list)
    foreign: Counter[tuple[str, str]] = field(default_factory=Counter)
    foreign_questions: Counter[str] = field(default_factory=Counter)

    def refuse(self, bad: BadLine) -> None:
        """Count a bad line, or skip it if that is the remedy of its class."""
        self._note(bad)
        if self.remedies.get(bad.code) == Remedy.SKIP:
            self.skip(bad.code)
            reason = gettext("{reason}: row skipped").format(reason=bad.reason)
            self.remark(bad.line, bad.field, reason, file=bad.file)
            return
        self.bad_line_count += 1
        if len(self.bad_lines) < MOST_SHOWN:
            self.bad_lines.append(bad)

    def skip(self, code: str) -> None:
        """Count a row that becomes no label."""
        self.skipped[code] += 1

    def _note(self, bad: BadLine) -> None:
        if bad.code:
            seen = self.problems.setdefault(bad.code, ProblemCount())
            seen.count += 1
            if len(seen.samples) < MOST_SAMPLES:
                seen.samples.append(bad)

    def add(self, other: "LabelReport") -> None:
        """Add the counts, faults and remarks of other rows of the file."""
        for name in ("added", "changed", "unchanged", "of_others", "items", "rows", "labels"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("questions", "raters", "skipped", "foreign", "foreign_questions"):
            getattr(self, name).update(getattr(other, name))
        for code, seen in other.problems.items():
            count = self.problems.setdefault(code, ProblemCount())
            count.count += seen.count
            count.samples += seen.samples[: MOST_SAMPLES - len(count.samples)]
        self.bad_line_count += other.bad_line_count
        self.bad_lines += other.bad_lines[: MOST_SHOWN - len(self.bad_lines)]
        self.remark_count += other.remark_count
        self.remarks += other.remarks[: MOST_SHOWN - len(self.remarks)]

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
                    gettext("changed from {before!r} to {after!r}").format(
                        before=judgment.value, after=label.value
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
