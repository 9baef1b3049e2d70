"""Importing a file of labels or grades with its raters and an entry in the audit log."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from tempfile import NamedTemporaryFile

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from annotation.corpora.reading.lines import Bounds, megabytes
from annotation.corpora.remedies import Remedy
from annotation.models import CorpusLabels, Study
from annotation.people import access
from annotation.texts.sentences import marked
from judging.labels.importing import Unknown, import_labels, import_lines, remedies_with
from judging.labels.named_raters import import_named
from judging.labels.passage_files import keep
from judging.labels.problems import MAKE, LabelProblem
from judging.labels.rubric import Grader, RubricFiles, graded
from judging.labels.rubric_importing import CannotImport, rater_of, write_items_of
from judging.labels.saving import LabelReport
from judging.labels.values import ValueMapping
from judging.models import Criterion, Question, Rater
from judging.raters.registering import register

# What is read of a file that came through the browser: all labels are held at once.
MOST_BYTES = 25_000_000
BOUNDS = Bounds(unpacked=50_000_000)
# Kinds of graders that a file names, with the kind of a new rater.
NAMED = {"crowd": "crowd", "named": "expert"}
RUBRIC = "rubric"  # graders named in a Rubric file
UNKNOWN_BY_REMEDY: dict[str, Unknown] = {Remedy.SKIP: "leave", MAKE: "make"}
OF_GRADES = marked("Rubric passages with grades")


@dataclass(frozen=True)
class LabelFile:
    """A file with its name and the limits of reading it."""

    path: Path
    name: str = ""  # none: as the path
    bounds: Bounds | None = None  # None: a file of our own


@contextmanager
def stored_labels(labels: CorpusLabels) -> Iterator[LabelFile]:
    """Yield labels that came with a corpus as a file."""
    with NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(labels.unpacked())
        file.flush()
        yield LabelFile(Path(file.name), labels.name, BOUNDS)


def labels_of_corpus(study: Study, name: str) -> CorpusLabels | None:
    """Return the labels that came with the corpus of a study in the file of this name."""
    if study.corpus is None or "\0" in name:
        return None
    labels: CorpusLabels | None = study.corpus.labels.filter(name=name).first()
    return labels


@dataclass(frozen=True)
class BroughtLabels:
    """Imported labels by rater. `left_out` counts data that studies can't store.

    `whole` is the report of all rows of the file.
    """

    reports: tuple[tuple[Rater, LabelReport], ...]
    whole: LabelReport
    left_out: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class LabelChoices:
    """The rater of a file's labels, and the remedies for rows with problems.

    `question` is the key for rows without one, `values` maps values that are no answers, and
    `remedies` are those of problems by code, of labels without an item rather than `unknown`.
    """

    grader: Grader
    question: str = ""
    unknown: Unknown = "refuse"
    values: ValueMapping | None = None
    remedies: Mapping[str, str] = field(default_factory=dict)


def bring(
    *,
    study: Study,
    file: LabelFile,
    choices: LabelChoices,
    by: User | None,
    now: datetime,
    user: User | None = None,
) -> BroughtLabels:
    """Import all labels or grades of a file, or none.

    `user` is the account of an expert. Raises BadRater, CannotImport, LabelsRefused or
    TooManyLines.
    """
    of_item = choices.remedies.get(LabelProblem.UNKNOWN_ITEM, "")
    unknown = UNKNOWN_BY_REMEDY.get(of_item, choices.unknown)
    if choices.grader.kind == RUBRIC:
        return bring_grades(study=study, file=file, by=by, now=now, unknown=unknown)
    return bring_labels(
        study=study,
        file=file,
        grader=choices.grader,
        by=by,
        now=now,
        user=user,
        question=choices.question,
        unknown=unknown,
        values=choices.values,
        remedies=choices.remedies,
    )


@transaction.atomic
def bring_labels(
    *,
    study: Study,
    file: LabelFile,
    grader: Grader,
    by: User | None,
    now: datetime,
    user: User | None = None,
    question: str = "",
    unknown: Unknown = "refuse",
    values: ValueMapping | None = None,
    remedies: Mapping[str, str] | None = None,
) -> BroughtLabels:
    """Import all labels of a file as those of an expert or a model, created on first use.

    Graders of the kinds in NAMED are those that the file names: a crowd, or of any kind.
    Raises BadRater, LabelsRefused or TooManyLines; then no label is imported.
    """
    if grader.kind in NAMED:
        reports, whole = import_named(
            study=study,
            path=file.path,
            name=file.name or file.path.name,
            bounds=file.bounds,
            kind=NAMED[grader.kind],
            rater=grader.name,
            now=now,
            question=question,
            unknown=unknown,
            values=values,
            remedies=remedies,
        )
        for rater, report in reports:
            _note(study, by, rater, report)
        return BroughtLabels(tuple(reports), whole)
    rater = register(
        name=grader.name,
        kind=grader.kind,
        user=user,
        model=grader.model,
        prompt_version=grader.prompt_version,
        settings=grader.settings,
        team=study.team,
    )
    report = import_labels(
        study=study,
        path=file.path,
        name=file.name,
        bounds=file.bounds,
        rater=rater,
        now=now,
        question=question,
        unknown=unknown,
        values=values,
        remedies=remedies,
    )
    _note(study, by, rater, report)
    return BroughtLabels(((rater, report),), report)


@transaction.atomic
def bring_grades(
    *,
    study: Study,
    file: LabelFile,
    by: User | None,
    now: datetime,
    unknown: Unknown = "refuse",
) -> BroughtLabels:
    """Import all grades of a Rubric file, which names its graders, on the points of a study.

    Raises CannotImport, BadRater, LabelsRefused or TooManyLines; then no grade is imported.
    """
    question = _graded_question(study)
    points = Criterion.objects.filter(instrument=question.instrument, questions=None)
    name = file.name or file.path.name
    rubric_files = graded(
        path=file.path,
        name=name,
        bounds=file.bounds,
        known=set(points.values_list("key", flat=True)),
    )
    if rubric_files.bad:
        raise CannotImport(
            gettext("Nothing was imported from {file}.").format(file=name),
            rubric_files.bad,
            count=rubric_files.bad_count,
        )
    if not any(rubric_files.grades.values()):
        raise CannotImport(_no_grades(name, rubric_files))
    if unknown == "make":
        write_items_of(study, rubric_files)
    reports, whole = [], LabelReport(name, kinds={name: OF_GRADES})
    for grader, lines in sorted(rubric_files.grades.items(), key=lambda each: each[0]):
        rater = rater_of(grader, team=study.team)
        report = import_lines(
            study=study,
            lines=lines,
            rater=rater,
            now=now,
            report=LabelReport(name, rows=len(lines), remedies=remedies_with(unknown, None)),
            question=_key_of(study, question),
        )
        _note(study, by, rater, report)
        reports.append((rater, report))
        whole.add(report)
    raters = dict(zip(sorted(rubric_files.grades), (rater for rater, _ in reports), strict=True))
    keep(study=study, path=file.path, name=name, raters=raters, now=now)
    left_out = tuple((reason, n) for reason, n in rubric_files.left_out.items() if n)
    return BroughtLabels(tuple(reports), whole, left_out)


def too_large() -> str:
    """Return the message on a file of more than MOST_BYTES."""
    return gettext("The file is larger than {most} MB. Compress it (.gz) or split it.").format(
        most=megabytes(MOST_BYTES)
    )


def asks_about_points(study: Study) -> bool:
    """Return whether the study has a question for Rubric's grades."""
    return len(_graded_questions(study)) == 1


def _graded_question(study: Study) -> Question:
    """Return the question on passages and points. Raises CannotImport."""
    questions = _graded_questions(study)
    if len(questions) != 1:
        raise CannotImport(gettext("This study doesn't grade passages on bank entries."))
    return questions[0]


def _graded_questions(study: Study) -> list[Question]:
    return list(
        study.questions.filter(
            scale__kind="range", instrument__item_kind="passage_criterion"
        ).select_related("instrument")
    )


def _key_of(study: Study, question: Question) -> str:
    """Return the question's key in lines of labels."""
    is_only = study.questions.filter(key=question.key).count() == 1
    return question.key if is_only else f"{question.instrument.key}.{question.key}"


def _no_grades(name: str, found: RubricFiles) -> str:
    if sum(found.left_out.values()):
        return gettext("{file} has no grades for this study's entries.").format(file=name)
    return gettext("{file} has no grades.").format(file=name)


def _note(study: Study, by: User | None, rater: Rater, report: LabelReport) -> None:
    """Write the audit log, unless nothing changed."""
    if report.added or report.changed or report.items:
        count = report.added + report.changed
        summary = f"{count:,} label{'s' * (count != 1)} of {rater.pseudonym}"
        access.record(user=by, act="imported labels", what=summary, of=study)
