"""Further batches of a writing study: its tasks for more people, topics that it lacks."""

import numpy as np
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext

from annotation.models import Batch, Study, Topic
from annotation.studies.creating import RefusedSetting, next_batch
from writing.models import WritingTask
from writing.studies.designing import write_batch, write_tasks
from writing.studies.topics import to_write_about


@transaction.atomic
def repeat(*, batch: Batch, votes: int, name: str) -> Batch:
    """Create the tasks of a batch again, each for `votes` writers new to the topic."""
    tasks = WritingTask.objects.filter(task__batch=batch).select_related("topic")
    wanted = [(task.topic, task.style) for task in tasks.order_by("task__number")]
    return write_batch(next_batch(study=batch.study, name=name), wanted, votes)


@transaction.atomic
def add_topics(*, batch: Batch, topics: int, name: str) -> Batch:
    """Plan a batch of new drawn topics in every style, with the quota of the study's batches.

    Raises RefusedSetting.
    """
    study = batch.study
    left = list(_left(study).order_by("pk"))
    _check(topics, len(left))
    rng = np.random.default_rng([study.seed, study.batches.count()])
    chosen = sorted(rng.choice(len(left), size=topics, replace=False))
    return write_tasks(
        study=study,
        topics=[left[index] for index in chosen],
        quota=_quota(batch),
        name=name,
    )


def foreseen_topics(*, batch: Batch, topics: int) -> tuple[int, int]:
    """Return the number of tasks and places of `add_topics`. Raises RefusedSetting as it does."""
    _check(topics, topics_left(batch.study))
    tasks = topics * len(batch.study.brief.styles)
    return tasks, tasks * _quota(batch)


def _check(topics: int, left: int) -> None:
    """Raise RefusedSetting if there are not enough topics."""
    if not 1 <= topics <= left:
        raise RefusedSetting(
            "topics",
            topics,
            gettext("{left} topics with passages are not included.").format(left=left),
        )


def _quota(batch: Batch) -> int:
    task = batch.tasks.first()
    return task.quota if task else 1


def topics_left(study: Study) -> int:
    return _left(study).count()


def _left(study: Study) -> QuerySet[Topic]:
    """Topics with passages that no task of the study is about."""
    written = WritingTask.objects.filter(task__batch__study=study).values("topic")
    return to_write_about(study.corpus).exclude(pk__in=written)
