"""Importing the labels of all raters that a file names."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from django.db.models import Q
from django.utils.translation import gettext

from annotation.corpora.reading.lines import Bounds
from annotation.corpora.schema import BadLine
from annotation.models import Study
from judging.labels.files import LabelLine
from judging.labels.importing import (
    LabelsRefused,
    Unknown,
    bad_line,
    checked,
    items_for,
    mapped,
    questions_by_key,
    read_lines,
    remedies_with,
)
from judging.labels.problems import LabelProblem
from judging.labels.saving import ImportedLabel, LabelReport, write_labels
from judging.labels.values import ValueMapping
from judging.models import Judgment, Rater
from judging.raters.registering import BadRater, known_to, register

MOST_RATERS = 1000  # of a file


def import_named(
    *,
    study: Study,
    path: Path,
    name: str,
    bounds: Bounds | None,
    kind: str,
    rater: str,
    now: datetime,
    question: str,
    unknown: Unknown,
    values: ValueMapping | None,
    remedies: Mapping[str, str] | None = None,
) -> tuple[list[tuple[Rater, LabelReport]], LabelReport]:
    """Save the labels of each rater; new raters are of this kind unless a line names another.

    Also return the report of the whole file. `rater` has the lines without one. Labels of the
    study's own participants are only compared.
    Raises LabelsRefused, BadRater or TooManyLines, in a transaction of the caller.
    """
    faults = LabelReport(name, remedies=remedies_with(unknown, remedies))
    lines = read_lines(study=study, path=path, name=name, bounds=bounds, report=faults)
    if values is not None:
        lines = list(mapped(lines, values, faults))
    lines_by_rater = _by_rater(lines, rater, kind, faults)
    items = items_for(study, lines, unknown, faults)
    questions = questions_by_key(study)
    reports: list[tuple[Rater, LabelReport]] = []
    items_made, remarks, remark_count = faults.items, list(faults.remarks), faults.remark_count
    for (text, kind_of_rater), some in lines_by_rater.items():
        if faults.bad_line_count:  # nothing is saved any more, but every fault is named
            faults.raters[text, kind_of_rater] += len(
                checked(some, items, questions, question, faults)
            )
            continue
        theirs = _rater(study, text, kind_of_rater, is_named=any(line.kind for line in some))
        report = LabelReport(name, remedies=faults.remedies, without_content=faults.without_content)
        labels = checked(some, items, questions, question, report)
        report.raters[theirs.name, theirs.kind] += len(labels)
        if theirs.worker_id is not None:
            _compare(theirs, labels, some, report)
        elif not report.bad_line_count:
            write_labels(theirs, labels, now, report)
        reports.append((theirs, report))
        faults.add(report)
    if faults.bad_line_count:
        raise LabelsRefused(faults)
    if reports:
        first = reports[0][1]
        first.items = items_made
        first.remark_count += remark_count
        first.remarks[:0] = remarks
    return reports, faults


def _by_rater(
    lines: list[LabelLine], rater: str, kind: str, faults: LabelReport
) -> dict[tuple[str, str], list[LabelLine]]:
    """Return the lines by name and kind of their rater."""
    groups: dict[tuple[str, str], list[LabelLine]] = defaultdict(list)
    for line in lines:
        text = line.rater.strip() or rater
        kind_of_rater = line.kind.strip().casefold() or kind
        if not text:
            reason, code = gettext("is missing"), LabelProblem.BLANK_FIELD
            faults.refuse(bad_line(line, faults, "rater", reason, code))
        elif kind_of_rater not in Rater.Kind.values:
            reason = gettext("{kind!r} is not crowd, expert or model").format(kind=line.kind[:40])
            faults.refuse(bad_line(line, faults, "kind", reason, LabelProblem.BAD_CELL))
        else:
            groups[text, kind_of_rater].append(line)
    if len(groups) > MOST_RATERS:
        reason = gettext("has more than {most:,} raters").format(most=MOST_RATERS)
        faults.refuse(BadLine(faults.file, 0, "rater", reason))
        groups.clear()
    return groups


def _rater(study: Study, text: str, kind: str, *, is_named: bool) -> Rater:
    """Return the rater of this pseudonym or name, created on first use. Raises BadRater."""
    team_raters = known_to(study.team)
    rater = team_raters.filter(pseudonym=text).first() or team_raters.filter(Q(name=text)).first()
    if rater is None:
        model = text if kind == Rater.Kind.MODEL else ""
        return register(name=text, kind=kind, model=model, team=study.team)
    if rater.worker_id is None and rater.kind != kind:
        raise BadRater(
            "other_kind",
            gettext("{name} is registered as {known}, not as {kind}.").format(
                name=rater.name, known=rater.get_kind_display().lower(), kind=kind
            ),
        )
    return rater


def _compare(
    rater: Rater, labels: list[ImportedLabel], lines: list[LabelLine], report: LabelReport
) -> None:
    """Count the labels that the participant gave, and refuse others."""
    answers: dict[tuple[int, int, str], list[Judgment]] = defaultdict(list)
    for answer in Judgment.objects.filter(
        rater=rater, item__in={label.key[0] for label in labels}
    ).only("item", "question", "slot", "shown", "value", "comment"):
        answers[answer.item_id, answer.question_id, answer.slot].append(answer)
    for label in labels:
        same = any(
            answer.value == label.value
            and label.key[3] in ("", answer.shown)
            and label.comment in ("", answer.comment)
            for answer in answers[label.key[:3]]
        )
        if same:
            report.unchanged += 1
        else:
            reason = gettext("differs from participant {rater}'s answer").format(
                rater=rater.pseudonym
            )
            code = LabelProblem.CONTRADICTION
            report.refuse(BadLine(report.file, label.line, "value", reason, code=code))
            report.labels -= 1
