"""Check an upload, and import it: the importing code as a job, rolled back or kept as a whole."""

import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from celery import Task
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext

from annotation import jobs
from annotation.clock import database_now
from annotation.corpora.crowdrag_importing import note_authors
from annotation.corpora.import_report import ImportReport
from annotation.corpora.importing import ImportRefused, import_corpus
from annotation.corpora.remedies import RemedyChoices
from annotation.corpora.resolving import FORMS
from annotation.corpora.schema import BadLine
from annotation.corpora.uploads.counting_from_one import count_as_found, rank_as_found
from annotation.corpora.uploads.files import BadFile, authors_of, corpus_files
from annotation.corpora.uploads.gathering import free_slug, of_this_name
from annotation.corpora.uploads.image_files import image_files
from annotation.corpora.uploads.progress import UploadProgress, alone
from annotation.corpora.uploads.questions import open_questions
from annotation.corpora.uploads.refusals import NothingToCheck, name_taken, not_now
from annotation.models import Corpus, CorpusUpload, WorkNotice
from annotation.people import notifying
from annotation.people.access import record
from annotation.people.notifying import STOPPED, WorkEnd
from annotation.texts.sentences import marked
from annotation.texts.spreadsheets import Csv

State = CorpusUpload.State
Found = TypeVar("Found")
Names = Mapping[str, Mapping[str, str]]
MOST_LINES = 100  # bad lines on the page; the list of all is a file
MOST_ATTEMPTS = 3
FAULTS = "faults.csv"
NO_FOLDER = marked(
    "Files not found. Ask an administrator to share the upload folder between servers."
)
BROKE_OFF = marked("The check failed three times. Upload fewer files or ask your administrator.")


# -- Asking --------------------------------------------------------------------------------------
def ask_to_check(*, upload: CorpusUpload, task: "Task[..., Any]") -> None:
    """Hand an upload to a worker. Asked twice it is done once. Raises NothingToCheck, `not_now`."""
    files = list(upload.files.all())
    if not files:
        raise NothingToCheck(gettext("No files yet."))
    for file in files:
        if file.look["fault"]:
            raise NothingToCheck(
                gettext("{name} {fault}. Remove or replace it.").format(
                    name=file.name, fault=file.look["fault"]
                ),
                file=file.pk,
            )
        if questions := open_questions(file.look, file.mapping):
            raise NothingToCheck(f"{file.name}: {questions[0]}", file=file.pk)
    _move(upload, of=(State.OPEN, State.CHECKED), to=State.CHECKING, task=task)


def ask_to_import(*, upload: CorpusUpload, task: "Task[..., Any]") -> None:
    """Hand a checked upload to a worker, to be kept. Raises NothingToCheck, `not_now`."""
    if upload.state == State.CHECKED and upload.report.get("bad"):
        raise NothingToCheck(gettext("Fix the problems before you import."))
    _move(upload, of=(State.CHECKED,), to=State.IMPORTING, task=task)


def _move(
    upload: CorpusUpload, *, of: tuple[str, ...], to: "CorpusUpload.State", task: "Task[..., Any]"
) -> None:
    moved = CorpusUpload.objects.filter(pk=upload.pk, state__in=of).update(
        state=to, attempts=0, problem=""
    )
    if moved:
        notifying.expect(
            user=upload.owner,
            kind=WorkNotice.Kind.UPLOAD,
            work=upload.pk,
            title=upload.name,
            path=upload.get_absolute_url(),
            now=database_now(),
        )
        jobs.send_after_commit(task, upload.pk)
        return
    upload.refresh_from_db()
    if upload.state not in (to, State.IMPORTED):
        raise not_now(upload)


def end_of(pk: int) -> WorkEnd | None:
    """Return how the check or import of an upload ended; None while it continues."""
    upload = CorpusUpload.objects.filter(pk=pk).first()
    if upload is None or (upload.state == State.OPEN and not upload.problem):
        return STOPPED
    if upload.state in CorpusUpload.BUSY:
        return None
    return WorkEnd(upload.changed_at, failed=bool(upload.problem))


# -- Doing ---------------------------------------------------------------------------------------
def work_on(*, pk: int) -> None:
    """Check or import an upload that waits for it; harmless where nobody waits, or one is at it.

    1. The lock of its folder is taken: a job that was killed has left it.
    2. The importing code runs in a transaction. A check is rolled back; an import is kept together
       with the state of the upload, so that a killed one has left nothing.
    3. What was found is noted.
    """
    upload = CorpusUpload.objects.filter(pk=pk, state__in=CorpusUpload.BUSY).first()
    if upload is None:
        return
    if not upload.folder.is_dir():
        busy = CorpusUpload.objects.filter(pk=pk, state=upload.state)
        busy.update(
            state=State.OPEN, problem=gettext(NO_FOLDER), report={}, changed_at=database_now()
        )
        return
    with alone(upload.folder) as is_alone:
        if is_alone:
            upload.refresh_from_db()
            _work_on(upload)


def _work_on(upload: CorpusUpload) -> None:
    busy = CorpusUpload.objects.filter(pk=upload.pk, state=upload.state)
    if upload.state not in CorpusUpload.BUSY:
        return
    if upload.attempts >= MOST_ATTEMPTS:
        busy.update(
            state=State.OPEN, problem=gettext(BROKE_OFF), report={}, changed_at=database_now()
        )
        return
    busy.update(attempts=F("attempts") + 1)
    if upload.state == State.IMPORTING:
        report = _tried(upload, _keep)
        if report is None:
            return
    else:
        report = _tried(upload, _checked)
        while _decides(upload, report):
            report = _tried(upload, _checked)
    busy.update(state=State.CHECKED, report=_found(report, upload), changed_at=database_now())


def _break_off(busy: "QuerySet[CorpusUpload]", problem: str) -> None:
    busy.update(state=State.OPEN, problem=problem, report={}, changed_at=database_now())


def _decides(upload: CorpusUpload, report: ImportReport) -> bool:
    """Return whether the check has found where ranks or citations start; then it repeats."""
    if report.ranks_from_0 and rank_as_found(upload, report.ranks_from_0):
        return True
    return report.counts_from_one and count_as_found(upload)


def _tried(
    upload: CorpusUpload, work: Callable[[CorpusUpload, Path, Callable[[BadLine], None]], Found]
) -> Found | ImportReport:
    """Return the result of `work`, or the report of its refusal."""
    with tempfile.TemporaryDirectory(dir=upload.folder) as scratch, _list(upload) as tell:
        try:
            return work(upload, Path(scratch), tell)
        except ImportRefused as refused:
            return refused.report


def _checked(upload: CorpusUpload, scratch: Path, tell: Callable[[BadLine], None]) -> ImportReport:
    with transaction.atomic():
        report = _import(upload, scratch, tell)
        transaction.set_rollback(True)
    return report


def _keep(upload: CorpusUpload, scratch: Path, tell: Callable[[BadLine], None]) -> None:
    with transaction.atomic():
        report = _import(upload, scratch, tell)
        corpus = Corpus.objects.get(slug=upload.slug)
        note_authors(corpus, authors_of(upload.files.all()))
        is_stored = CorpusUpload.objects.filter(pk=upload.pk, state=State.IMPORTING).update(
            state=State.IMPORTED,
            corpus=corpus,
            slug=corpus.slug,
            report=_found(report, upload),
            changed_at=database_now(),
        )
        if not is_stored:  # thrown away in the meantime
            transaction.set_rollback(True)
            return
        row_counts = ", ".join(f"{report.added[kind]:,} {kind}" for kind in sorted(report.added))
        record(user=upload.owner, act="imported into a corpus", what=row_counts, of=corpus)


def _import(upload: CorpusUpload, scratch: Path, tell: Callable[[BadLine], None]) -> ImportReport:
    """Import the files of an upload. Raises ImportRefused."""
    files = list(upload.files.all())
    is_there = upload.corpus_id is not None
    refused = ImportReport(corpus=upload.name, tell=tell)
    if not is_there:
        if namesake := of_this_name(upload.owner, upload.name):
            refused.refuse(BadLine("corpus", 0, "name", name_taken(namesake.name)))
            raise ImportRefused(refused)
        upload.slug = free_slug(upload.name)  # others may have made corpora since
    try:
        read = corpus_files(files, scratch=scratch)
        authors_of(files)
    except BadFile as error:
        refused.refuse(error.bad_line)
    if refused.bad_line_count:
        raise ImportRefused(refused)
    return import_corpus(
        slug=upload.slug,
        name="" if is_there else upload.name,
        licence="" if is_there else upload.licence,
        files=read,
        is_new=not is_there,
        owners=[upload.owner],
        origin=upload.origin or None,
        origins=upload.origins,
        unknown_citations="report" if upload.drops_citations else "refuse",
        citation_forms=forms_of(upload),
        unknown_passages="report" if upload.drops_passages else "refuse",
        degraded_copies=upload.makes_copies,
        choices=RemedyChoices.from_json(upload.remedies),
        unknown_systems="make",  # the check names them before anything is written
        progress=UploadProgress(upload.folder, {file.name: file.size for file in files}),
        tell=tell,
        images=image_files(upload),
    )


def forms_of(upload: CorpusUpload) -> Collection[str]:
    """Return the kinds of marks that count as citations."""
    return FORMS if upload.citation_forms is None else upload.citation_forms


# -- What was found ------------------------------------------------------------------------------
@contextmanager
def _list(upload: CorpusUpload) -> Iterator[Callable[[BadLine], None]]:
    """Hears of every bad line and writes it down, so that a report of millions needs no memory."""
    names = _named(upload)
    with (upload.folder / FAULTS).open("w", newline="", encoding="utf-8") as file:
        table = Csv(excel=True)
        file.write(table.lines([("file", "line", "field", "reason")]))

        def tell(bad: BadLine) -> None:
            file.write(table.lines([(bad.file, bad.line or "", _field(bad, names), bad.reason)]))

        yield tell


def _found(report: ImportReport, upload: CorpusUpload) -> dict[str, Any]:
    return report_of(report, _named(upload), RemedyChoices.from_json(upload.remedies))


def _named(upload: CorpusUpload) -> Names:
    """Return our field for each renamed column, by file name."""
    return {file.name: file.mapping.get("columns", {}) for file in upload.files.all()}


def _field(bad: BadLine, names: Names) -> str:
    """Return the field's name in the file."""
    return str(names.get(bad.file, {}).get(bad.field, bad.field))


def report_of(report: ImportReport, names: Names, choices: RemedyChoices) -> dict[str, Any]:
    """Return the report for the page: counts by kind, problems by class, and the first lines.

    Fields have their names in the files (`names`); lines that follow from others are separate.
    """
    kinds = sorted({*report.added, *report.unchanged, *report.contradicting})
    return {
        "counts": [
            [kind, report.added[kind], report.unchanged[kind], report.contradicting[kind]]
            for kind in kinds
        ],
        "bad": report.bad_line_count,
        "lines": [_cells(line, names) for line in report.causes[:MOST_LINES]],
        "following": report.following_count,
        "followers": [_cells(line, names) for line in report.following[:MOST_LINES]],
        "reasons": [
            {
                "field": _field(reason.first, names),
                "reason": _shown(pattern if reason.count > 1 else reason.first.reason),
                "count": reason.count,
                "first": _shown(_place(reason.first)),
            }
            for (_, pattern), reason in report.reasons.items()
        ],
        # Of the reasons those that have no remedy: the file has to be corrected.
        "without_remedy": [
            place for place, reason in enumerate(report.reasons.values()) if not reason.first.code
        ],
        "remarks": report.other_remarks,
        "left_out": [[name, count] for name, count in report.left_out.most_common()],
        "doubts": report.doubts,  # of the remarks those that ask somebody to look
        "cites_unknown": report.cites_unknown,
        "problems": [
            problem
            | {"samples": [_sample(sample, names) for sample in problem["samples"]]}
            | {"values": [[_shown(value), *rest] for value, *rest in problem["values"]]}
            for problem in report.problems.as_json(choices)
        ],
        "images": asdict(report.images),  # texts with some that are not shown, by the reason
        "cites_no_0": bool(report.lowest_cited),
        "of_nobody": [_shown(system) for system in report.of_nobody],
        "warnings": report.warning_count,
        "warned": [_cells(line, names) for line in report.warnings[:MOST_LINES]],
        "marks": [
            [kind, counts, seen.count, _shown(seen.sample), _shown(seen.place)]
            for (kind, counts), seen in report.marks.items()
        ],
        "citations": report.citations,
        "citing": report.citing,
        "sheet_rows": {
            _shown(line.place): line.row
            for line in (*report.causes, *report.following, *report.warnings)
            if line.row
        },
        "rows": {
            _shown(file): {"read": count, "ignored": report.ignored_rows(file)}
            for file, count in report.rows.items()
        },
    }


def _sample(sample: dict[str, Any], names: Names) -> dict[str, Any]:
    """Return a row with a problem as a database keeps it."""
    field = names.get(sample["file"], {}).get(sample["field"], sample["field"])
    words = sample | {"field": str(field)}
    return {name: _shown(one) if isinstance(one, str) else one for name, one in words.items()}


def _place(line: BadLine) -> str:
    """Line 0 is the file as a whole."""
    if not line.line:
        return line.file
    return gettext("{file}, line {line}").format(file=line.file, line=line.line)


def _cells(line: BadLine, names: Names) -> list[Any]:
    """As the page shows it; no database has NUL in a text, and half a character is none."""
    cells = [line.file, line.line, _field(line, names), line.reason]
    return [_shown(cell) if isinstance(cell, str) else cell for cell in cells]


def _shown(text: str) -> str:
    return text.replace("\x00", "\N{REPLACEMENT CHARACTER}").encode(errors="replace").decode()[:500]
