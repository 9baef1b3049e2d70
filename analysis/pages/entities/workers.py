"""Workers of a study: their work, time and wage, and their competence in the newest run."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Max, Min, Q, QuerySet
from django.utils.translation import gettext

from analysis.pages.entities.among import TextSet
from analysis.pages.entities.assignments import LISTING as WORKS
from analysis.pages.entities.newest_results import Competence, competences, newest_of
from analysis.pages.entities.votes import count_by
from annotation.fieldwork.consenting.erasing_study_data import people_of
from annotation.lists import BY_PERSON, ListColumn, ListFilter, RecordList
from annotation.models import Assignment, Study, Worker
from annotation.people.pseudonyms import people_with_id
from annotation.studies.active_time import active_times, pay_of
from annotation.studies.progress import passed_by
from annotation.studies.wages import hourly
from annotation.texts.sentences import marked
from judging.models import Rater


@dataclass(frozen=True)
class ListedWorker:
    """Worker in a list.

    `active` is the active time of all their work in seconds, `wage` the pay for an hour of it.
    """

    worker: Worker
    works: int
    handed_in: int
    accepted: int
    votes: int | None
    marks: int
    active: float | None
    wage: float | None
    competence: Competence | None


def workers_of(study: Study) -> "QuerySet[Worker]":
    """Return the workers who took part, by pseudonym."""
    here = Q(assignments__study=study)
    rows = Worker.objects.filter(here).annotate(
        works=Count("assignments", here),
        handed_in=Count("assignments", here & Q(assignments__submitted_at__isnull=False)),
        accepted=Count("assignments", here & Q(assignments__state=Assignment.State.ACCEPTED)),
        first=Min("assignments__arrived_at", filter=here),
        last=Max("assignments__submitted_at", filter=here),
    )
    return rows.order_by("pseudonym")


def shown(study: Study, workers: Sequence[Worker]) -> list[ListedWorker]:
    """Return the rows of workers, with a constant number of queries."""
    works = Assignment.objects.filter(study=study, worker__in=workers)
    of = dict(works.values_list("pk", "worker"))
    pay = pay_of(works)
    active: dict[int, list[float]] = defaultdict(list)
    earning: dict[int, list[float]] = defaultdict(list)
    earned: dict[int, float] = defaultdict(float)
    for pk, time in active_times(study, only=list(of)).items():
        if time.seconds > 0:
            active[of[pk]].append(time.seconds)
            if pk in pay:
                earning[of[pk]].append(time.seconds)
                earned[of[pk]] += float(pay[pk])
    judges = study.kind == Study.Kind.JUDGING
    votes = _votes(study, workers) if judges else {}
    marks = _marks(study, works)
    known_of = competences(newest_of(study)) if judges else {}
    return [
        ListedWorker(
            worker=worker,
            works=worker.works,  # type: ignore[attr-defined]
            handed_in=worker.handed_in,  # type: ignore[attr-defined]
            accepted=worker.accepted,  # type: ignore[attr-defined]
            votes=votes.get(worker.pk, 0) if judges else None,
            marks=marks.get(worker.pk, 0),
            active=sum(active[worker.pk]) or None,
            wage=hourly(pay=earned[worker.pk], minutes=sum(earning[worker.pk]) / 60),
            competence=known_of.get(worker.pseudonym),
        )
        for worker in workers
    ]


def _votes(study: Study, workers: Sequence[Worker]) -> dict[int, int]:
    """Return the number of counted votes of each worker.

    Rater ids let the database use its index; else it reads all votes of the study.
    """
    raters = Rater.objects.filter(team=study.team_id, worker__in=workers)
    worker_by_rater = dict(raters.values_list("pk", "worker_id"))
    counts = count_by(study, "rater", list(worker_by_rater))
    return {worker_by_rater[pk]: n for pk, n in counts.items()}


def _marks(study: Study, works: "QuerySet[Assignment]") -> dict[int, int]:
    """Return the number of flagged assignments of each worker."""
    marked = next(list_filter for list_filter in WORKS.filters if list_filter.name == "marked")
    rows = works.filter(marked.condition(study, "yes")).order_by()
    return dict(rows.values_list("worker").annotate(n=Count("pk")))


def _competence(study: Study) -> Mapping[int, float]:
    competence_of = competences(newest_of(study))
    here = Assignment.objects.filter(study=study)
    rows = Worker.objects.filter(pk__in=here.values("worker")).values_list("pk", "pseudonym")
    return {pk: competence_of[name].value for pk, name in rows if name in competence_of}


def _state(study: Study, value: str) -> Q:
    """Return the condition of workers with work in this state."""
    state = next(list_filter for list_filter in WORKS.filters if list_filter.name == "state")
    works = Assignment.objects.filter(state.condition(study, value), study=study)
    return Q(pk__in=works.values("worker"))


def _looked_at(study: Study, value: str) -> Q:
    """Return the condition of workers in the newest run, or of those it flags."""
    competence_of = competences(newest_of(study))
    if value == "marked":
        return Q(
            pseudonym__in=TextSet(
                name for name, competence in competence_of.items() if competence.mark
            )
        )
    return Q(pseudonym__in=TextSet(competence_of))


def _onboarding(study: Study, value: str) -> Q:
    """Return the condition of workers who passed the onboarding, or are in it."""
    of = passed_by(study) if study.onboarding_tasks else {}
    return Q(pk__in=[pk for pk, passed in of.items() if passed == (value == "passed")])


def _with_id(study: Study, typed: str) -> "QuerySet[Worker]":
    return people_with_id(people_of(study), typed)


LOOKED_AT = {
    "known": marked("in the latest analysis"),
    "marked": marked("flagged: lower agreement than expected"),
}


ONBOARDING = {"passed": marked("passed"), "in": marked("not passed yet")}


def _columns(study: Study) -> list[ListColumn]:
    judges = study.kind == Study.Kind.JUDGING
    return [
        ListColumn(gettext("Participant"), "pseudonym"),
        ListColumn(gettext("Assignments"), "works", number=True),
        ListColumn(gettext("Submitted"), "handed_in", number=True),
        ListColumn(gettext("Approved"), "accepted", number=True),
        *([ListColumn(gettext("Votes"), number=True)] if judges else []),
        ListColumn(gettext("Active time"), number=True),
        ListColumn(gettext("Hourly wage"), number=True),
        ListColumn(gettext("Flagged"), number=True),
        *([ListColumn(gettext("Competence"), "competence", number=True)] if judges else []),
        ListColumn(gettext("First seen"), "first"),
        ListColumn(gettext("Last submitted"), "last"),
    ]


LISTING = RecordList(
    key="workers",
    title=marked("Participants"),
    rows=workers_of,
    shown=shown,
    columns=_columns,
    filters=(
        ListFilter("state", marked("Submission state"), _state, WORKS.filters[0].label),
        ListFilter("competence", marked("Competence"), _looked_at, LOOKED_AT),
        ListFilter("onboarding", marked("Onboarding"), _onboarding, ONBOARDING),
    ),
    search_in=("pseudonym",),
    search_hint=BY_PERSON,
    search_related=(("pk", _with_id),),
    values={"competence": _competence},
)
