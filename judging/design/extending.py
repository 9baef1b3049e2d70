"""Further batches of a judging study: its questionnaires for more people, topics that it lacks."""

from collections import defaultdict

from django.db import transaction

from annotation.corpora.systems import topics_of
from annotation.models import Batch, Study
from annotation.studies.planning import next_batch
from judging.design.checking import deal_checks
from judging.design.designing import Page, Questionnaire, write_plans, write_questionnaires
from judging.design.plans import plans_of, systems_of, undealt_of
from judging.designers.designs import questionnaires_of
from judging.models import TaskItem


@transaction.atomic
def repeat(*, batch: Batch, votes: int, name: str) -> Batch:
    """The questionnaires of a batch once more, each for `votes` people who have met none of it."""
    further = next_batch(study=batch.study, name=name)
    Batch.objects.filter(pk=further.pk).update(design=batch.design)
    rows = TaskItem.objects.filter(task__batch=batch, item__check_of=None)
    rows = rows.select_related("item", "instrument")
    pages: dict[int, list[Page]] = defaultdict(list)
    for row in rows.order_by("task", "position"):
        pages[row.task_id].append(Page(row.item, row.instrument))
    sheets = [
        Questionnaire(pages=pages[task.pk], quota=votes, words=task.words)
        for task in batch.tasks.order_by("number")
    ]
    write_questionnaires(batch=further, sheets=sheets)
    deal_checks(batch=further)
    further.refresh_from_db()
    return further


@transaction.atomic
def add_topics(*, batch: Batch, topics: int, name: str) -> Batch:
    """A planned batch about topics that the study lacks, designed as a batch of it was.

    Raises CannotDesign, which also says how many topics there are.
    """
    study = batch.study
    known = set(study.items.order_by().values_list("topic", flat=True).distinct())
    plans = plans_of(study=study, seed=study.seed, topics=topics, without=known, as_in=batch)
    made = write_plans(study=study, plans=plans, name=name)
    made.refresh_from_db()
    return made


def foreseen_topics(*, batch: Batch, topics: int) -> tuple[int, int]:
    """How many tasks and places `add_topics` would make: nothing is dealt and nothing written.

    Raises CannotDesign as it does.
    """
    study = batch.study
    known = set(study.items.order_by().values_list("topic", flat=True).distinct())
    made = undealt_of(study=study, seed=study.seed, topics=topics, without=known, as_in=batch)
    tasks = questionnaires_of(made)
    return tasks, tasks * made[0].parameters.quota


def topics_left(study: Study) -> int:
    """How many topics of the corpus no item of the study is about, and its systems have texts for,
    if it was designed with some; there may be too few of these."""
    topics = topics_of(study.corpus, systems_of(study))
    return topics.exclude(pk__in=study.items.values("topic")).count()
