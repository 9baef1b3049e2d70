"""Minutes that participants took for a task, from ten timed participants on. Only reads."""

from collections import OrderedDict
from statistics import quantiles
from time import monotonic

from annotation.models import Assignment, Study
from annotation.studies.active_time import active_times
from annotation.texts.task_times import MeasuredMinutes

LEAST_TIMED = 10  # participants
KEPT_SECONDS = 300  # every page of a worker shows it, so a process measures seldom
MOST_KEPT = 500  # studies
MOST_TIMED = 1000  # submissions, the newest: a participant's page waits for them

_kept: OrderedDict[tuple[object, ...], tuple[float, MeasuredMinutes | None]] = OrderedDict()


def measured_minutes(study: Study) -> MeasuredMinutes | None:
    """Return the middle half of the minutes that participants took, or None for fewer than ten.

    A participant counts once, by the mean of their submissions. Onboarding is another task.
    """
    if study._state.adding:  # a preview
        return None
    key = (study.pk, study.slug, study.created_at)
    until, measured = _kept.get(key, (0.0, None))
    if until < monotonic():
        measured = _measured(study)
        _kept[key] = (monotonic() + KEPT_SECONDS, measured)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    return measured


def _measured(study: Study) -> MeasuredMinutes | None:
    works = Assignment.objects.filter(study=study, task__batch__onboarding=False).counting()
    worker_by_work = dict(works.order_by("-pk").values_list("pk", "worker")[:MOST_TIMED])
    if len(set(worker_by_work.values())) < LEAST_TIMED:
        return None
    minutes_by_worker: dict[int, list[float]] = {}
    for pk, time in active_times(study, only=list(worker_by_work)).items():
        if time.seconds > 0:
            minutes_by_worker.setdefault(worker_by_work[pk], []).append(time.seconds / 60)
    means = [sum(minutes) / len(minutes) for minutes in minutes_by_worker.values()]
    if len(means) < LEAST_TIMED:
        return None
    low, _, high = quantiles(means, n=4, method="inclusive")
    tasks = [one for minutes in minutes_by_worker.values() for one in minutes]
    mean = sum(tasks) / len(tasks)
    return MeasuredMinutes(max(1, round(low)), max(1, round(high)), len(means), mean=mean)
