"""Importing the judging study of the Crowd RAG Corpus 2025 as live work would save it."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from annotation import jobs
from annotation.corpora.crowdrag import BadCorpus, check_folder
from annotation.corpora.crowdrag_importing import (
    CONTACT,
    SEED,
    CrowdragReport,
    Note,
    Step,
    all_or_nothing,
    import_texts,
    take_stock,
    workers_of,
)
from annotation.fieldwork.review.importing_reviews import accept, open_for_import
from annotation.fieldwork.work.importing_assignments import WorkDone, assign_done
from annotation.models import (
    Assignment,
    Batch,
    Citation,
    Consent,
    Corpus,
    Exposure,
    LedgerEntry,
    Passage,
    Place,
    Response,
    ReviewAct,
    ReviewDecision,
    Study,
    Task,
    TaskExposure,
    Topic,
    Worker,
)
from annotation.studies import batching
from annotation.studies.creating import next_batch
from judging.answering import recording
from judging.answering.importing_answers import import_answers
from judging.crowdrag import rows as crowdrag
from judging.crowdrag.rows import Sheet
from judging.design.designing import (
    DesignedQuestionnaire,
    PlannedPage,
    create_study,
    write_items,
    write_questionnaires,
)
from judging.designers.questionnaires import PlannedItem
from judging.instruments import files as instruments
from judging.models import Item, ItemSlot, Judgment, Presentation, Question, Rater, TaskItem
from judging.review import examining

STUDY = "crowdrag25-judging"
# Where the platform's export has no session of a worker: the study began then, and a duration of
# zero stands for "not known" (annotation.studies.progress leaves it out).
BEGAN = datetime(2024, 11, 12, tzinfo=UTC)
UNKNOWN = timedelta(0)
# What a questionnaire reads of what came before it.
WRITTEN = (
    Assignment, Citation, Consent, Exposure, LedgerEntry, Passage, Place, Response, ReviewAct,
    ReviewDecision, Task, TaskExposure, Topic, Worker,
    Item, ItemSlot, Judgment, Presentation, Question, Rater, TaskItem, Task.shows.through,
)  # fmt: skip


def import_judging_study(
    *, folder: Path, step: Step = lambda what, n: None, note: Note | None = None
) -> CrowdragReport:
    """Import corpus, workers, questionnaires, assignments and votes. Safe to repeat.

    `note` is that of `import_texts`. Raises BadCorpus or ImportRefused; then nothing has changed.
    """
    check_folder(folder, crowdrag.FILES)
    report = CrowdragReport()
    with all_or_nothing():
        corpus = import_texts(folder=folder, report=report, step=step, note=note)
        study = _study(corpus, report)
        sheets = crowdrag.sheets(folder / crowdrag.VOTES)
        batch = _questionnaires(study, sheets, report)
        _answers(batch, sheets, crowdrag.sessions(folder / crowdrag.DEMOGRAPHIC), report, step)
        if batch.state == Batch.State.OPEN:
            batching.close_batch(batch=batch, now=BEGAN + timedelta(days=30))
    return report


# -- Study -------------------------------------------------------------------------------------


def _study(corpus: Corpus, report: CrowdragReport) -> Study:
    study = Study.objects.filter(slug=STUDY).first()
    if study is not None:
        return study
    report.added["study"] += 1
    return create_study(
        slug=STUDY,
        title="Crowd RAG Corpus 2025: judging",
        corpus=corpus,
        instruments=[instruments.load("crowdrag-pairwise")],
        seed=SEED,
        contact=CONTACT,
        pay="5.50",
        tasks_per_worker=4,
        presentation={"sides": "fixed", "item_order": "fixed"},
        # 32 pairs stand in two questionnaires; the published set counts the first five votes.
        analysis={"votes_per_item": 5},
    )


def _questionnaires(study: Study, sheets: Sequence[Sheet], report: CrowdragReport) -> Batch:
    batch = study.batches.first()
    if batch is not None:
        return batch
    quota = Counter(sheet.questionnaire for sheet in sheets)
    by_questionnaire = {sheet.questionnaire: sheet for sheet in reversed(sheets)}
    distinct = [by_questionnaire[key] for key in quota]
    responses = {
        key: (pk, topic, words)
        for key, pk, topic, words in Response.objects.filter(corpus=study.corpus_id).values_list(
            "key", "pk", "topic_id", "words"
        )
    }
    pairs = {vote.pair: _planned(vote, responses) for sheet in distinct for vote in sheet.votes}
    items = write_items(study=study, kind="pair", planned=list(pairs.values()))
    by_pair = dict(zip(pairs, items, strict=True))
    instrument = study.instruments.get()
    batch = next_batch(study=study, name="main")
    tasks = write_questionnaires(
        batch=batch,
        sheets=[
            DesignedQuestionnaire(
                pages=[PlannedPage(by_pair[vote.pair], instrument) for vote in sheet.votes],
                quota=quota[sheet.questionnaire],
                words=sum(pairs[vote.pair].words for vote in sheet.votes),
                key=sheet.questionnaire,
            )
            for sheet in distinct
        ],
    )
    report.added.update(items=len(items), questionnaires=len(tasks))
    places = Counter(vote.pair for sheet in distinct for vote in sheet.votes)
    if twice := sum(n > 1 for n in places.values()):
        report.notes.append(
            f"{twice} pairs are in two questionnaires: all their votes are kept, and the "
            f"analysis counts the first {study.analysis['votes_per_item']}, as in the "
            "published data"
        )
    return open_for_import(batch=batch, began=BEGAN)


def _planned(
    vote: crowdrag.CrowdragVote, responses: dict[str, tuple[int, int, int]]
) -> PlannedItem:
    place = f"{crowdrag.VOTES}:{vote.line}"
    try:
        first, second = responses[vote.response_a], responses[vote.response_b]
    except KeyError as error:
        raise BadCorpus("unknown_response", f"{place}: unknown response {error}") from error
    ids = (first[0], second[0])
    if first[1] != second[1] or ids[0] == ids[1]:
        raise BadCorpus("different_topics", f"{place}: a pair must be two responses to one topic")
    return PlannedItem(ids, first[1], first[2] + second[2], frozenset(ids))


# -- Answers -----------------------------------------------------------------------------------


def _answers(
    batch: Batch,
    sheets: Sequence[Sheet],
    sessions: dict[tuple[str, str], crowdrag.Session],
    report: CrowdragReport,
    step: Step,
) -> None:
    tasks = {task.key: task for task in batch.tasks.all()}
    done = set(
        Assignment.objects.filter(study=batch.study_id).values_list(
            "task__key", "worker__pseudonym"
        )
    )
    free = Counter(
        Place.objects.filter(task__batch=batch, assignment=None).values_list("task__key", flat=True)
    )
    people = workers_of(sheet.worker for sheet in sheets)
    works: list[WorkDone] = []
    new: list[Sheet] = []
    take_stock(WRITTEN)
    for sheet in sheets:
        step("questionnaires", 1)
        if (sheet.questionnaire, sheet.worker) in done:
            report.unchanged["assignments"] += 1
            continue
        if not free[sheet.questionnaire]:
            raise BadCorpus(
                "no_place",
                f"{crowdrag.VOTES}:{sheet.votes[0].line}: the study imported before has no "
                f"place for questionnaire {sheet.questionnaire} of worker {sheet.worker}",
            )
        free[sheet.questionnaire] -= 1
        unknown = crowdrag.Session("", BEGAN, UNKNOWN)
        session = sessions.get((sheet.questionnaire, sheet.worker), unknown)
        works.append(
            WorkDone(
                task=tasks[sheet.questionnaire],
                worker=people[sheet.worker],
                started_at=session.started_at,
                submitted_at=session.started_at + session.duration,
                external_id=session.submission,
            )
        )
        new.append(sheet)
        report.added["assignments"] += 1
        report.added["votes"] += len(sheet.votes) * len(crowdrag.DIMENSIONS)
        report.added["assignments without a time"] += session.duration == UNKNOWN
    met_again = _save(batch.study, works, new)
    if again := met_again.total():
        report.notes.append(
            f"{sum(n > 0 for n in met_again.values())} workers judged the same pair in both "
            f"directions ({again} times); all these votes are kept"
        )


def _save(study: Study, works: Sequence[WorkDone], sheets: Sequence[Sheet]) -> Counter[str]:
    """Save and accept questionnaires; return how many pairs each worker had met before."""
    assignments = assign_done(study=study, works=works)
    import_answers(
        study=study,
        assignments=assignments,
        answers={
            assignment.pk: [
                recording.GivenAnswer(position, question, getattr(vote, column).lower())
                for position, vote in enumerate(sheet.votes, start=1)
                for column, question in crowdrag.DIMENSIONS.items()
            ]
            for assignment, sheet in zip(assignments, sheets, strict=True)
        },
    )
    pks = [assignment.pk for assignment in assignments]
    jobs.after_commit(partial(examining.examine_new, study=study, pks=pks))
    accept(
        study=study,
        submitted={a.pk: work.submitted_at for a, work in zip(assignments, works, strict=True)},
    )
    exposures = Exposure.objects.filter(study=study)
    met = Counter(exposures.values_list("assignment", flat=True))
    met_again: Counter[str] = Counter()
    for assignment, sheet in zip(assignments, sheets, strict=True):
        met_again[sheet.worker] += len(sheet.votes) - met[assignment.pk]
    return met_again
