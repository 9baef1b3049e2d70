"""Importing the writing study of the Crowd RAG Corpus 2025 as live work would save it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from annotation.bulk_inserting import insert_all
from annotation.clock import database_now
from annotation.corpora import crowdrag
from annotation.corpora.crowdrag import BadCorpus, WrittenTask
from annotation.corpora.crowdrag_importing import (
    CONTACT,
    CORPUS,
    SEED,
    CrowdragReport,
    Step,
    all_or_nothing,
    import_texts,
    workers_of,
)
from annotation.fieldwork.paying.accounting import settle
from annotation.fieldwork.review.importing_reviews import accept, open_for_import
from annotation.fieldwork.work.importing_assignments import WorkDone, assign_done
from annotation.fieldwork.work.refusals import NoTaskLeft
from annotation.models import Assignment, Batch, Corpus, Response, Study, Task, Worker
from annotation.refusals import Refusal
from annotation.studies import batching
from annotation.texts.words import count_words
from writing.editor.drafting import checked_text, verdict_of
from writing.instruments import files as instruments
from writing.log.eventlog import Event, pack
from writing.log.snapshots import events_of
from writing.models import PackedLog, Writing
from writing.process import measuring
from writing.studies.designing import create_study, write_tasks

STUDY = "crowdrag25-writing"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# The first and the last snapshot were taken between these.
BEGAN, ENDED = datetime(2024, 8, 19, tzinfo=UTC), datetime(2024, 11, 6, tzinfo=UTC)

ENTRY = ("worker_knowledge", "worker_expertise", "query_answerable", "query_controversial")
EXIT = ("worker_satisfaction", "references_quality", "references_extra", "references_omission")


class CorpusLog(NamedTuple):
    """The snapshots of a text as events, and the last text."""

    events: list[Event]
    first: int  # ms, in Unix time, as the next
    last: int
    text: str
    snapshots: int


class CorpusLogs:
    """The logs of the texts that are not imported yet, in the order of the file."""

    def __init__(self) -> None:
        mine = Writing.objects.filter(assignment__study__slug=STUDY)
        self._done = set(mine.values_list("response__key", flat=True))
        self.by_response: list[tuple[str, CorpusLog | None]] = []

    def note(self, history: crowdrag.History) -> None:
        """Make the log of a response, unless its text is imported."""
        response, snapshots = history
        log = None
        if response not in self._done:
            times = [snapshot.timestamp for snapshot in snapshots]
            events = events_of((snapshot.timestamp, snapshot.text) for snapshot in snapshots)
            text = crowdrag.last_of(snapshots).text
            log = CorpusLog(events, min(times), max(times), text, len(times))
        self.by_response.append((response, log))


def import_writing_study(
    *, folder: Path, step: Step = lambda what, n: None, logs: CorpusLogs | None = None
) -> CrowdragReport:
    """Writers, tasks, texts and the history of every text. Run twice, it changes nothing.

    1. The corpus, unless an import made it before.
    2. The study, with a task for each topic and style that was written.
    3. All texts in bulk, with the rows and checks of live work: each text is compared with what its
       log rebuilds, accepted, and linked to the response that is there already.
    4. The measures of every log, also of those that another release has measured.

    `logs` are those that the import of the corpus has noted, if there was one just before.
    Raises BadCorpus or ImportRefused; then nothing has changed.
    """
    crowdrag.check_folder(folder, crowdrag.TEXTS)
    report = CrowdragReport()
    logs = logs or CorpusLogs()
    with all_or_nothing():
        corpus = Corpus.objects.filter(slug=CORPUS).first()
        corpus = corpus or import_texts(folder=folder, report=report, step=step, note=logs.note)
        if not logs.by_response:
            for history in crowdrag.histories(folder / crowdrag.HUMAN):
                logs.note(history)
        written = {row.response: row for row in crowdrag.rows(folder / crowdrag.TASKS, WrittenTask)}
        batch = _tasks(_study(corpus, report), list(written.values()), report)
        events = _texts(batch, written, logs, report, step)
        if batch.state == Batch.State.OPEN:
            batching.close_batch(batch=batch, now=ENDED)
        measuring.measure_imported(study=batch.study, logs=events, now=database_now(), step=step)
        measuring.measure_study(study=batch.study, now=database_now(), step=step)
    return report


def _study(corpus: Corpus, report: CrowdragReport) -> Study:
    study = Study.objects.filter(slug=STUDY).first()
    if study is not None:
        return study
    report.added["writing study"] += 1
    return create_study(
        slug=STUDY,
        title="Crowd RAG Corpus 2025: writing",
        corpus=corpus,
        instrument=instruments.load("crowdrag-writing"),
        seed=SEED,
        contact=CONTACT,
        pay="2.50",
        tasks_per_worker=301,
    )


def _tasks(study: Study, written: Sequence[WrittenTask], report: CrowdragReport) -> Batch:
    """Create a task for each topic in each style, with as many places as it was written."""
    batch = study.batches.first()
    if batch is not None:
        return batch
    topics = {topic.key: topic for topic in study.corpus.topics.all()}
    wanted = Counter((row.topic, row.style) for row in written)
    if unknown := {topic for topic, _ in wanted} - set(topics):
        raise BadCorpus("unknown_topic", f"{crowdrag.TASKS}: unknown topic {min(unknown)}")
    batch = write_tasks(
        study=study,
        topics=[topics[key] for key in dict.fromkeys(row.topic for row in written)],
        styles=sorted({row.style for row in written}),
        quota=max(wanted.values()),
        shuffle=False,
    )
    report.added["writing tasks"] += batch.tasks.count()
    return open_for_import(batch=batch, began=BEGAN)


def _texts(
    batch: Batch,
    written: dict[str, WrittenTask],
    logs: CorpusLogs,
    report: CrowdragReport,
    step: Step,
) -> dict[int, list[Event]]:
    """Save the texts that are new; return their logs by submission."""
    tasks = {task.key: task for task in batch.tasks.all()}
    responses = Response.objects.filter(corpus=batch.study.corpus_id, key__in=written)
    by_key = dict(responses.values_list("key", "pk"))
    left = set(written)
    people = workers_of(row.worker for row in written.values())
    texts: list[WrittenText] = []
    for key, log in logs.by_response:
        step("texts", 1)
        if key not in left or key not in by_key:
            sentence = f"{crowdrag.HUMAN}: response {key} isn't a written task"
            raise BadCorpus("unknown_task", sentence)
        left.remove(key)
        if log is None:
            report.unchanged["written texts"] += 1
            continue
        row = written[key]
        task = tasks[f"{row.topic}:{row.style}"]
        texts.append(_written(row, task, people[row.worker], by_key[key], log))
        report.added["written texts"] += 1
        report.added["snapshots"] += log.snapshots
    if left:
        raise BadCorpus("no_snapshots", f"{crowdrag.HUMAN}: response {min(left)} has no snapshots")
    _save(batch.study, texts)
    _notes(batch, report)
    return {text.writing.assignment_id: text.events for text in texts}


@dataclass(frozen=True)
class WrittenText:
    """A text of the corpus with its packed log, as the rows that it becomes."""

    work: WorkDone
    log: PackedLog
    events: list[Event]
    writing: Writing


def _written(
    row: WrittenTask, task: Task, writer: Worker, response: int, log: CorpusLog
) -> WrittenText:
    """Return one writer's way from arriving to handing in, at the times of the snapshots."""
    events, first = log.events, _time(log.first)
    try:
        text = checked_text(log.text)
    except Refusal as error:
        raise BadCorpus("refused_text", f"{crowdrag.HUMAN}: {row.response}: {error}") from error
    packed = PackedLog(
        events=len(events),
        data=pack(events),
        last_seq=events[-1].seq,
        last_ms=events[-1].ms,
        source="snapshots",
    )
    writing = Writing(
        acknowledged_at=first,
        response_id=response,
        text=text,
        words=count_words(text),
        verdict=verdict_of(events, text, complete=True),
    )
    work = WorkDone(
        task=task,
        worker=writer,
        started_at=first,
        worked_at=first,
        submitted_at=_time(log.last),
        entry_answers=_answers(row, ENTRY),
        exit_answers=_answers(row, EXIT),
    )
    return WrittenText(work, packed, events, writing)


def _save(study: Study, texts: Sequence[WrittenText]) -> None:
    """Save and accept texts."""
    try:
        assignments = assign_done(study=study, works=[text.work for text in texts])
    except NoTaskLeft as error:
        raise BadCorpus("no_place", f"{crowdrag.HUMAN}: {error}") from error
    for assignment, text in zip(assignments, texts, strict=True):
        text.log.assignment = text.writing.assignment = assignment
    insert_all(text.writing for text in texts)
    insert_all(text.log for text in texts)
    works = Assignment.objects.filter(pk__in=[assignment.pk for assignment in assignments])
    settle(works=works, now=database_now())
    accept(
        study=study,
        submitted={a.pk: t.work.submitted_at for a, t in zip(assignments, texts, strict=True)},
    )


def _time(ms: int) -> datetime:
    return EPOCH + timedelta(milliseconds=ms)


def _answers(row: WrittenTask, names: Sequence[str]) -> dict[str, str]:
    """Answers by the codes of the form; what the corpus does not know is left out."""
    given = ((name, getattr(row, name)) for name in names)
    return {name: f"{value:.0f}" for name, value in given if value is not None}


def _notes(batch: Batch, report: CrowdragReport) -> None:
    mine = Writing.objects.filter(assignment__study=batch.study_id)
    wrong = mine.exclude(verdict=Writing.Verdict.EQUAL).count()
    if wrong:
        report.notes.append(f"{wrong} texts differ from their snapshots")
