"""Extending a study by batches: its questionnaires for more people, or further topics."""

from collections import defaultdict

from django.db import transaction

from annotation.corpora.systems import topics_of
from annotation.models import Batch, Study
from annotation.studies.creating import next_batch
from judging.design.checking import deal_checks
from judging.design.designing import (
    DesignedQuestionnaire,
    PlannedPage,
    write_plans,
    write_questionnaires,
)
from judging.design.plans import plans_of, systems_of, undealt_of
from judging.designers.designs import questionnaires_of
from judging.models import TaskItem


@transaction.atomic
def repeat(*, batch: Batch, votes: int, name: str) -> Batch:
    """Repeat the questionnaires of a batch for `votes` further people each."""
    further = next_batch(study=batch.study, name=name)
    Batch.objects.filter(pk=further.pk).update(design=batch.design)
    rows = TaskItem.objects.filter(task__batch=batch, item__check_of=None)
    rows = rows.select_related("item", "instrument")
    pages: dict[int, list[PlannedPage]] = defaultdict(list)
    for row in rows.order_by("task", "position"):
        pages[row.task_id].append(PlannedPage(row.item, row.instrument))
    sheets = [
        DesignedQuestionnaire(pages=pages[task.pk], quota=votes, words=task.words, arm=task.arm)
        for task in batch.tasks.order_by("number")
    ]
    write_questionnaires(batch=further, sheets=sheets)
    deal_checks(batch=further)
    further.refresh_from_db()
    return further


@transaction.atomic
def add_topics(*, batch: Batch, topics: int, name: str) -> Batch:
    """Add a planned batch on topics that the study lacks, designed as an earlier batch.

    Raises CannotDesign with the number of topics left.
    """
    study = batch.study
    used_topics = set(study.items.order_by().values_list("topic", flat=True).distinct())
    plans = plans_of(study=study, seed=study.seed, topics=topics, without=used_topics, as_in=batch)
    made = write_plans(study=study, plans=plans, name=name)
    made.refresh_from_db()
    return made


def foreseen_topics(*, batch: Batch, topics: int) -> tuple[int, int]:
    """Return the number of tasks and places of `add_topics`. Raises CannotDesign."""
    study = batch.study
    used_topics = set(study.items.order_by().values_list("topic", flat=True).distinct())
    made = undealt_of(study=study, seed=study.seed, topics=topics, without=used_topics, as_in=batch)
    tasks = [questionnaires_of(arm) for arm in made]
    places = [n * arm[0].parameters.quota for n, arm in zip(tasks, made, strict=True)]
    return sum(tasks), sum(places)


def topics_left(study: Study) -> int:
    """Return the number of topics without an item, of those with texts by the study's systems."""
    topics = topics_of(study.corpus, systems_of(study))
    return topics.exclude(pk__in=study.items.values("topic")).count()
