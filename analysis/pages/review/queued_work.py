"""Submissions in the review queue, filtered and sorted.

They are sorted in Python because flags are stored in several tables; the number of queries is
constant.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext, gettext_lazy

from analysis.pages.entities.flags import Standard
from analysis.pages.review.queue_order import GROUPS, QueuedWork, by_concern
from annotation.lists import ListQuery, QueryParameter
from annotation.models import Assignment, ReviewDecision, Study
from annotation.people.pseudonyms import hashes_of_id
from writing.process import measured
from writing.review import terms

State = Assignment.State
STATES = {
    "submitted": gettext_lazy("waiting"),
    "active": gettext_lazy("changes requested"),
    "accepted": gettext_lazy("approved"),
    "rejected": gettext_lazy("rejected"),
    "decided": gettext_lazy("decided"),
    "all": gettext_lazy("all"),
}
SORTS = {
    "concern": gettext_lazy("Most flags"),
    "oldest": gettext_lazy("Oldest"),
    "newest": gettext_lazy("Newest"),
    "agreement": gettext_lazy("Lowest agreement"),
    "fastest": gettext_lazy("Fastest"),
    "worker": gettext_lazy("Participant"),
    "onboarding": gettext_lazy("Onboarding"),
}
# What the addresses of the lists before this queue asked for.
OLD_LISTS = {
    "waiting": {"state": "submitted"},
    "redo": {"state": "active"},
    "held": {"state": "submitted", "mark": "any"},
}
OLD_ORDERS = {"evidence": "concern"}


PARAMETERS = (
    QueryParameter("state", "submitted", STATES),
    QueryParameter("mark"),
    QueryParameter("batch"),
    QueryParameter("worker"),
    QueryParameter("q"),
    QueryParameter("sort", "concern", SORTS),
)


def queue_query(given: Mapping[str, str]) -> ListQuery:
    """Parse the parameters of the queue, or those of the lists before it."""
    before, order = given.get("list"), given.get("order", "")
    state = {} if before is None else OLD_LISTS.get(before, {"state": before})
    return ListQuery.parse(PARAMETERS, {"sort": OLD_ORDERS.get(order, order), **given, **state})


def every(study: Study) -> list[QueuedWork]:
    """Return all work that was submitted at least once."""
    rows = _rows(study)
    return _judged(study, rows) if study.kind == Study.Kind.JUDGING else _written(study, rows)


def _rows(study: Study) -> Any:
    redone = ReviewDecision.objects.filter(assignment=OuterRef("pk"), decision="redo")
    rows = Assignment.objects.filter(
        Q(state__in=Assignment.HANDED_IN) | Q(Exists(redone), state=State.ACTIVE), study=study
    )
    return rows.order_by("pk")


# The first fields of Queued, in their order: thousands are made for a page.
FIELDS = (
    "pk",
    "state",
    "worker__pseudonym",
    "task__batch__number",
    "task__batch__onboarding",
    "submitted_at",
)
EXAMINED = (
    "examination__marks",
    "examination__seconds",
    *(f"agreement_with_others__{name}" for name in ("value", "low", "high")),
)


def _judged(study: Study, rows: Any) -> list[QueuedWork]:
    fields_of_works = list(rows.values_list(*FIELDS, *EXAMINED))
    standard = Standard.of(
        study, [value for *_, value, _, _ in fields_of_works if value is not None]
    )
    works = []
    for *fields, marks, seconds, value, low, high in fields_of_works:
        rules = [mark["rule"] for mark in marks or ()]
        rules += standard.rules(worker=fields[2], high=high)
        far = None if high is None or standard.middle is None else standard.middle - high
        works.append(
            QueuedWork._make((*fields, tuple(rules), seconds or None, value, low, high, far))
        )
    return works


def _written(study: Study, rows: Any) -> list[QueuedWork]:
    ranks = measured.ranks_of(study)
    fields_of_works = rows.filter(writing__isnull=False).values_list(
        *FIELDS, "started_at", "writing__words", "writing__process__flags"
    )
    brief, least = study.brief, study.minimum_seconds
    works = []
    for *fields, began, words, flags in fields_of_works:
        broken_rules = terms.rules(
            words=words, began=began, submitted=fields[5], brief=brief, least=least
        )
        marks = (*broken_rules, *dict.fromkeys(flag["kind"] for flag in flags or ()))
        seconds = (fields[5] - began).total_seconds() if fields[5] and began else None
        far = ranks[fields[0]].extremity if fields[0] in ranks else None
        works.append(QueuedWork._make((*fields, marks, seconds, None, None, None, far)))
    return works


def wanted(study: Study, works: Sequence[QueuedWork], query: ListQuery) -> list[QueuedWork]:
    """Return the submissions that an address asks for, in its order."""
    matching = [work for work in works if _is_in(work, query)]
    if words := query["q"]:
        hashes = hashes_of_id(words)
        among = Q(worker__pseudonym__icontains=words)
        among |= Q(worker__external_hash__in=hashes) | Q(session_hash__in=hashes)
        if study.kind == Study.Kind.WRITING:
            among |= Q(task__writing_task__topic__query__icontains=words)
            among |= Q(writing__text__icontains=words)
        rows = Assignment.objects.filter(among, study=study)
        pks = set(rows.values_list("pk", flat=True))
        matching = [queued for queued in matching if queued.pk in pks]
    return sorted(matching, key=ORDERS[query["sort"]], reverse=query["sort"] == "newest")


def _is_in(work: QueuedWork, query: ListQuery) -> bool:
    if query["state"] == "decided":
        state = work.state in (State.ACCEPTED, State.REJECTED)
    else:
        state = query["state"] in ("all", work.state)
    return (
        state
        and has_mark(work, query["mark"])
        and query["batch"] in ("", str(work.batch))
        and query["worker"] in ("", work.worker)
    )


def has_mark(work: QueuedWork, mark: str) -> bool:
    """Return whether work has a flag: a rule, one of GROUPS, "any", or "" for all work."""
    if mark in ("", "any"):
        return not mark or bool(work.marks)
    rules = GROUPS[mark][1] if mark in GROUPS else (mark,)
    return any(rule in work.marks for rule in rules)


def _at(work: QueuedWork) -> float:
    return work.submitted_at.timestamp() if work.submitted_at else float("inf")


def _first(value: float | None) -> float:
    return float("inf") if value is None else value


ORDERS: Mapping[str, Callable[[QueuedWork], Any]] = {
    "concern": by_concern,
    "oldest": lambda each: (_at(each), each.pk),
    "newest": lambda each: (_at(each) if each.submitted_at else 0, each.pk),
    "agreement": lambda each: (_first(each.agreement), each.pk),
    "fastest": lambda each: (_first(each.seconds), each.pk),
    "worker": lambda each: (each.worker, _at(each), each.pk),
    "onboarding": lambda each: (not each.onboarding, _at(each), each.pk),
}


@dataclass(frozen=True)
class QueueView:
    """List that the queue offers, with its number of submissions."""

    name: str
    query: ListQuery
    n: int
    pk: int | None = None  # of one that a person keeps


def ready(study: Study, works: Sequence[QueuedWork]) -> list[QueueView]:
    """Return the lists of every queue, without those that no work of the study can be in."""
    waiting = queue_query({})
    offered = [
        (gettext("Waiting"), waiting),
        (gettext("Flagged"), waiting.replace(mark="any")),
        *((str(title), waiting.replace(mark=key)) for key, (title, _) in GROUPS.items()),
        (gettext("Changes requested"), waiting.replace(state="active")),
        (gettext("Decided"), waiting.replace(state="decided")),
        (gettext("All"), waiting.replace(state="all")),
    ]
    writes = study.kind == Study.Kind.WRITING
    # They ask for a state and a mark alone: one work of each kind tells of all that are alike.
    alike = Counter((work.state, work.marks) for work in works)
    one = {(work.state, work.marks): work for work in works}
    return [
        QueueView(name, query, sum(n for kind, n in alike.items() if _is_in(one[kind], query)))
        for name, query in offered
        if not (writes and query["mark"] in ("straight", "checks", "agreement"))
    ]
