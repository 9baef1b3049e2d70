"""Importing labels from elsewhere as judgments of a rater: all of a file, or none."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from django.db import transaction
from django.utils.translation import gettext

from annotation.corpora.formats.conversations import turn_key
from annotation.corpora.reading.lines import Bounds
from annotation.corpora.remedies import Remedy
from annotation.corpora.schema import BadLine
from annotation.models import Study
from annotation.texts.translation import translated_error
from judging.answering.recording import COMMENT_LIMIT
from judging.design.designing import write_items
from judging.items.kinds import KINDS
from judging.labels.entry_lines import of_entries
from judging.labels.files import MOST_LINES, LabelLine, TooManyLines, lines_of
from judging.labels.lookup import (
    Contradiction,
    ForeignQuestion,
    ForeignValue,
    Items,
    MissingItem,
    UnfitLabel,
    answer_of,
    shown_of,
    slot_of,
)
from judging.labels.moments import moment_of
from judging.labels.new_items import CannotMake, Planner
from judging.labels.problems import MAKE, LabelProblem
from judging.labels.rows import FileKind, Remark
from judging.labels.saving import ImportedLabel, Key, LabelReport, write_labels
from judging.labels.values import ValueMapping
from judging.models import Question, Rater

MOST_STEPS = 20  # of a range whose numbers are offered one by one
Unknown = Literal["refuse", "leave", "make"]


class LabelsRefused(ValueError):
    """Refusal with its report, raised inside the transaction so that it is rolled back."""

    def __init__(self, report: LabelReport) -> None:
        n = report.bad_line_count
        lines = (
            gettext("1 row has a problem") if n == 1 else gettext("{n:,} invalid rows").format(n=n)
        )
        super().__init__(
            gettext("Nothing was imported from {file}: {lines}.").format(
                file=report.file, lines=lines
            )
        )
        self.report = report


@transaction.atomic
def import_labels(
    *,
    study: Study,
    path: Path,
    rater: Rater,
    now: datetime,
    question: str = "",
    unknown: Unknown = "refuse",
    values: ValueMapping | None = None,
    name: str = "",
    bounds: Bounds | None = None,
    remedies: Mapping[str, str] | None = None,
) -> LabelReport:
    """Save the labels of a file as judgments of a rater, without an assignment.

    1. Every line is checked; a bad one raises LabelsRefused, and no label is saved.
    2. A line without an item is bad, left out, or gets a new item (`unknown`). `remedies` are
       those of other problems, by code (judging.labels.problems).
    3. Labels that the rater has already stay; different ones are changed.

    `question` is the key for lines without one, `values` maps values that are no answers. A column
    `rater` selects the lines of this rater, by name or pseudonym: an export of labels holds all
    raters. `name` replaces the file's name; with `bounds` a longer file raises TooManyLines.
    """
    Rater.objects.select_for_update(no_key=True).get(pk=rater.pk)
    name = name or path.name
    report = LabelReport(name, remedies=remedies_with(unknown, remedies))
    lines = []
    for line in read_lines(study=study, path=path, name=name, bounds=bounds, report=report):
        if line.rater in ("", rater.name, rater.pseudonym):
            lines.append(line)
        else:
            report.of_others += 1
    return import_lines(
        study=study,
        lines=lines,
        rater=rater,
        now=now,
        report=report,
        question=question,
        unknown=unknown,
        values=values,
    )


def read_lines(
    *, study: Study, path: Path, name: str, bounds: Bounds | None, report: LabelReport
) -> list[LabelLine]:
    """Return the lines of a file; bad ones are in the report. Raises TooManyLines."""
    slots = {slot.name for kind in KINDS.values() for slot in kind.slots if not slot.repeated}
    lines = []
    drops = report.remedies.get(LabelProblem.UNKNOWN_COLUMN) == Remedy.DROP
    read = lines_of(
        path, slots=slots | _repeated(study), name=name, bounds=bounds, drops_columns=drops
    )
    for line in read:
        if isinstance(line, FileKind):
            report.kinds[line.file] = line.title
            continue
        if isinstance(line, Remark):
            report.remark(line.number, "", line.reason, file=line.file)
            continue
        report.rows += 1
        if bounds and report.rows > MOST_LINES:
            raise TooManyLines(name, MOST_LINES)
        if isinstance(line, BadLine):
            report.refuse(line)
        else:
            lines.append(line)
    if not lines and not report.bad_line_count and not report.skipped:
        report.refuse(BadLine(name, 1, "", gettext("is empty")))
    return of_entries(study, _of_turns(study, lines))


def _of_turns(study: Study, lines: list[LabelLine]) -> list[LabelLine]:
    """Return the lines with the topic of their turn, where the corpus has one of its own.

    The last turn of a conversation has its topic, an earlier one a topic for itself.
    """
    if not any(line.turn for line in lines):
        return lines
    topics = set(study.corpus.topics.values_list("key", flat=True)) if study.corpus else set()
    of_turns = (replace(line, topic=turn_key(line.topic, line.turn)) for line in lines)
    return [
        of_turn if line.turn and of_turn.topic in topics else line
        for line, of_turn in zip(lines, of_turns, strict=True)
    ]


def import_lines(
    *,
    study: Study,
    lines: list[LabelLine],
    rater: Rater,
    now: datetime,
    report: LabelReport,
    question: str = "",
    unknown: Unknown = "refuse",
    values: ValueMapping | None = None,
) -> LabelReport:
    """Save the labels of lines. Raises LabelsRefused, also for earlier faults in the report."""
    if values is not None:
        lines = list(mapped(lines, values, report))
    items = items_for(study, lines, unknown, report)
    labels = checked(lines, items, questions_by_key(study), question, report)
    report.raters[rater.name, rater.kind] += len(labels)
    if report.bad_line_count:
        raise LabelsRefused(report)
    write_labels(rater, labels, now, report)
    return report


def remedies_with(unknown: Unknown, remedies: Mapping[str, str] | None) -> dict[str, str]:
    """Return the remedies, with that of labels without an item."""
    of_item = {"leave": Remedy.SKIP.value, "make": MAKE}.get(unknown)
    chosen = dict(remedies or {})
    return chosen | ({LabelProblem.UNKNOWN_ITEM.value: of_item} if of_item else {})


def items_for(study: Study, lines: list[LabelLine], unknown: Unknown, report: LabelReport) -> Items:
    """Return the study's items, with new ones for the lines if `unknown` is make."""
    items = Items(study)
    return _made(study, items, lines, report) if unknown == "make" else items


def mapped(
    lines: list[LabelLine], values: ValueMapping, report: LabelReport
) -> Iterator[LabelLine]:
    """Yield the lines with mapped values, without those that are left out."""
    for line in lines:
        question = values.question(line.question)
        if question == "":
            reason = gettext("question {key!r} is skipped, as you chose").format(
                key=line.question[:40]
            )
            report.remark(line.number, "question", reason, file=line.file)
            report.skip(LabelProblem.UNKNOWN_QUESTION)
            continue
        line = line if question is None else replace(line, question=question)
        answer = values.answer(line.value)
        if answer == "":
            reason = gettext("{value!r} is skipped, as you chose").format(value=line.value[:40])
            report.remark(line.number, "value", reason, file=line.file)
            report.skip(LabelProblem.UNKNOWN_VALUE)
        else:
            yield line if answer is None else replace(line, value=answer)


def _repeated(study: Study) -> set[str]:
    """Return the slots of the study's items of kinds with any number of them."""
    return set(study.items.order_by().values_list("slots__name", flat=True).distinct()) - {None}


def questions_of(study: Study) -> list[tuple[str, str]]:
    """Return key and text of each question."""
    return [(key, question.text) for key, question in questions_by_key(study).items()]


def choices_of(study: Study, key: str) -> list[tuple[str, str]]:
    """Return code and words of each answer that a question offers."""
    question = study.questions.select_related("scale").filter(key=key).first()
    spec = question.scale.spec if question else {}
    if spec.get("kind") == "range" and spec["max"] - spec["min"] <= MOST_STEPS:
        numbers = range(math.ceil(spec["min"]), math.floor(spec["max"]) + 1)
        return [(str(number), str(number)) for number in numbers]
    options = spec.get("options", [])
    return [(option["code"], f"{option['code']} ({option['label']})") for option in options]


def questions_by_key(study: Study) -> dict[str, Question]:
    """Return questions by key, or by instrument.key if two instruments share it."""
    rows = study.questions.select_related("instrument", "scale").order_by("position")
    times = Counter(row.key for row in rows)
    return {
        row.key if times[row.key] == 1 else f"{row.instrument.key}.{row.key}": row for row in rows
    }


def checked(
    lines: list[LabelLine],
    items: Items,
    questions: Mapping[str, Question],
    question: str,
    report: LabelReport,
) -> list[ImportedLabel]:
    """Return the labels of the lines; faults are in the report."""
    only = next(iter(questions)) if len(questions) == 1 else ""
    labels: dict[Key, ImportedLabel] = {}
    for line in lines:
        key = _question_of(line, questions) or question or only
        try:
            label = _label(line, items, questions, key)
            labels[label.key] = _together(labels.get(label.key, label), label)
        except UnfitLabel as error:
            bad = bad_line(line, report, error.field, translated_error(error), error.code)
            report.refuse(bad)
            if isinstance(error, ForeignValue):
                report.foreign[error.question, error.value] += 1
            elif isinstance(error, ForeignQuestion) and error.question:
                report.foreign_questions[error.question] += 1
        except MissingItem as error:
            if (line.file, line.number) not in report.without_content:
                reason = gettext("the study {error}").format(error=error)
                report.refuse(bad_line(line, report, "item", reason, LabelProblem.UNKNOWN_ITEM))
        else:
            report.labels += 1
            report.questions[key] += 1
    return list(labels.values())


def bad_line(
    line: LabelLine, report: LabelReport, field: str, reason: str, code: str = ""
) -> BadLine:
    """Return a fault of a line, with the file of a zip file that it is from."""
    return BadLine(line.file or report.file, line.number, field, reason, code=code)


def _together(before: ImportedLabel, label: ImportedLabel) -> ImportedLabel:
    """Return one label for two with the same key, with a comment of either. Raises Unfit."""
    comments = [comment for comment in (before.comment, label.comment) if comment]
    for name, is_other in (
        ("value", before.value != label.value),
        ("comment", len(set(comments)) > 1),
    ):
        if is_other:
            raise Contradiction(name, gettext("contradicts line {line}").format(line=before.line))
    return before._replace(comment=comments[0] if comments else "")


def _made(study: Study, items: Items, lines: list[LabelLine], report: LabelReport) -> Items:
    """Return the study's items with new ones for these lines, as far as the corpus has them."""
    missing = defaultdict(list)
    planner = Planner(study)
    for line in lines:
        try:
            items.place(line)
        except MissingItem:
            try:
                kind, plan = planner.planned(line)
            except CannotMake as error:
                reason = translated_error(error)
                report.refuse(bad_line(line, report, "item", reason, LabelProblem.MISSING_CONTENT))
                report.without_content.add((line.file, line.number))
            else:
                missing[kind].append(plan)
        except UnfitLabel:
            continue  # said when the line is checked
    before = study.items.count()
    for kind, plans in missing.items():
        write_items(study=study, kind=kind, planned=plans)
    report.items = study.items.count() - before
    return Items(study) if report.items else items


def _question_of(line: LabelLine, questions: Mapping[str, Question]) -> str:
    """Return the key of the line's question, with its instrument where that is needed."""
    with_instrument = f"{line.instrument}.{line.question}"
    return with_instrument if with_instrument in questions else line.question


def _label(
    line: LabelLine, items: Items, questions: Mapping[str, Question], key: str
) -> ImportedLabel:
    question = questions.get(key)
    if question is None:
        raise ForeignQuestion(key, questions)
    if len(line.comment) > COMMENT_LIMIT:
        raise UnfitLabel(
            "comment",
            gettext("has more than {comment_limit:,} characters").format(
                comment_limit=COMMENT_LIMIT
            ),
        )
    place = items.place(line)
    answer = answer_of(question=question, line=line, place=place)
    slot = slot_of(question=question, line=line, place=place)
    where = (place.item.pk, question.pk, slot, shown_of(line=line, place=place))
    first_at = moment_of("first_at", line.first_at)
    answered_at = moment_of("answered_at", line.answered_at) or first_at
    return ImportedLabel(
        line.number,
        where,
        answer.raw,
        answer.value,
        answer.score,
        line.comment,
        first_at or answered_at,
        answered_at,
    )
