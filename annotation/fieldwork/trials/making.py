"""Trials: small studies made from a draft, which its researcher walks through as a worker."""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

import msgspec
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count
from django.utils.crypto import get_random_string

from annotation.corpora.systems import topics_of
from annotation.fieldwork.trials import ending, recording_trials
from annotation.fieldwork.work import assigning
from annotation.models import Assignment, Batch, Corpus, Draft, Keeping, Study, Task, Trial
from annotation.people.access import sharing
from annotation.people.pseudonyms import nobody_known
from annotation.studies import batching
from annotation.studies.drafts import saving
from annotation.studies.drafts.kinds import Outline, kind_of
from annotation.studies.drafts.launching import HasFaults, days_of, without_faults, written_study
from annotation.studies.drafts.schema import Document, Onboarding
from annotation.studies.drafts.workload import outline_or_why

TRIAL_LIFETIME = timedelta(days=1)
LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # one can read them out
MAX_TASKS = 6  # of a trial: on a phone, on a computer, and once more
ENOUGH_QUESTIONNAIRES = 4  # questionnaires; where the study has fewer, all of them
TOPIC_FACTOR = 4  # times as many topics are drawn, until there is enough


@transaction.atomic
def make_trial(*, draft: Draft, user: User, now: datetime) -> Trial:
    """Return the trial of this person for the draft as it is; end an earlier one.

    A trial of the same draft that nobody has begun is returned again. Raises saving.DraftClosed,
    HasFaults.
    """
    current = saving.locked(draft)
    last = Trial.objects.select_related("study").filter(draft=current, user=user).first()
    if last and last.revision == current.revision and not _is_begun(last):
        return last
    document = without_faults(draft=current, user=user)
    if last:
        ending.end(study=last.study)
    study = _study(document, current, user)
    batching.launch(study=study, now=now)
    # What is full would close, and be analysed.
    Batch.objects.filter(study=study).update(closes_when_full=False)
    Study.objects.filter(pk=study.pk).update(purpose=Study.Purpose.TRIAL)
    study.purpose = Study.Purpose.TRIAL
    # What people read of it; a trial is gone before anything is erased.
    days = days_of(document, study)
    Keeping.objects.create(study=study, **{f"{name}_until": day for name, day in days.items()})
    return Trial.objects.create(
        study=study,
        draft=current,
        revision=current.revision,
        user=user,
        made_at=now,
        expires_at=now + TRIAL_LIFETIME,
    )


def _is_begun(trial: Trial) -> bool:
    return Assignment.objects.filter(study=trial.study_id).exists()


def new_slug(purpose: Study.Purpose) -> str:
    """Return an address that nobody can guess."""
    return f"{purpose}-{get_random_string(12, LETTERS)}"


def _study(document: Document, draft: Draft, user: User) -> Study:
    study = _of_few_topics(document, user)
    if (outline := _outline(document)) is not None:
        for batch in study.batches.all():  # of a few topics it would be another time
            batch.design = {**batch.design, "careful_minutes": outline.careful_minutes}
            batch.save(update_fields=["design"])
    sharing.move(study=study, team=draft.team)
    return study


class _TooSmall(ValueError):
    """Too few of the questionnaires are as long as those of the real study."""


def _of_few_topics(document: Document, user: User) -> Study:
    """Make the study from as few topics as give questionnaires of its length.

    Raises HasFaults where all topics give none.
    """
    pages = _pages(document)
    for topics in _fewer(document):
        try:
            with transaction.atomic():
                few = tried(document, topics=topics)
                study = written_study(few, user=user, new_version=False)
                if _keep_some(study, pages, _pages(few)) < ENOUGH_QUESTIONNAIRES:
                    raise _TooSmall
                return study
        except (HasFaults, _TooSmall):
            continue
    whole = tried(document, topics=document.design.topics)
    study = written_study(whole, user=user, new_version=False)
    _keep_some(study, pages, pages)
    return study


def _outline(document: Document) -> Outline | None:
    corpus = Corpus.objects.there().get(slug=document.corpus)  # faults_of has looked for it
    return outline_or_why(document, corpus)[0]


def _pages(document: Document) -> tuple[int, int] | None:
    outline = _outline(document)
    return outline.pages if outline else None


def _keep_some(study: Study, wanted: tuple[int, int] | None, has: tuple[int, int] | None) -> int:
    """Keep MAX_TASKS tasks with as many pages as `wanted`; return how many there are.

    Questionnaires of fewer topics are somewhat shorter: 13 pages instead of 14 or 15.
    """
    rows = Task.objects.filter(batch__study=study).order_by("batch__number", "number")
    tasks = list(rows.annotate(things=Count("units")))
    if wanted and has:
        # Checks stand between the pages, as many in each.
        besides = max((task.things for task in tasks), default=0) - has[1]
        right = range(wanted[0] + besides, wanted[1] + besides + 1)
        tasks = [task for task in tasks if task.things in right]
    names = kind_of(study.kind).variants(study)
    kept_tasks = _in_turn([task.pk for task in tasks], names)[:MAX_TASKS]
    rows.exclude(pk__in=kept_tasks).delete()
    return len(kept_tasks)


def _in_turn(tasks: list[int], names: Mapping[int, str]) -> list[int]:
    """Return the tasks in an order in which the first ones show every variant."""
    number_by_variant: Counter[str] = Counter()
    turn = {}
    for task in tasks:
        turn[task] = number_by_variant[names.get(task, "")]
        number_by_variant[names.get(task, "")] += 1
    return sorted(tasks, key=lambda task: turn[task])


@transaction.atomic
def begin_with(*, trial: Trial, task: Task, user: User, now: datetime) -> Assignment:
    """Assign the task to a new worker of the trial, to show its variant. Raises NoTaskLeft."""
    worker = nobody_known(platform=Study.Purpose.TRIAL)
    work = assigning.assign(task=task, worker=worker, now=now)
    recording_trials.note_tester(assignment=work, user=user)
    return work


def _fewer(document: Document) -> Iterator[int]:
    """Yield growing numbers of topics, below that of the document."""
    corpus = Corpus.objects.there().get(slug=document.corpus)  # faults_of has looked for it
    taken = document.design
    in_all = taken.topics or topics_of(corpus, taken.systems, taken.chosen_topics).count()
    topics = document.recruitment.tasks_per_worker  # a writer meets a topic once
    while topics < in_all:
        yield topics
        topics *= TOPIC_FACTOR


def tried(
    document: Document, *, topics: int | None, purpose: Study.Purpose = Study.Purpose.TRIAL
) -> Document:
    """Return the document as it is tried: by a plain link and without onboarding."""
    replace = msgspec.structs.replace
    return replace(
        document,
        slug=new_slug(purpose),
        design=replace(document.design, topics=topics),
        onboarding=Onboarding(),
        recruitment=replace(document.recruitment, platform="link"),
    )
