"""Work that no number of a run counts, and flagged work that counts until a decision."""

from dataclasses import dataclass

from django.db.models import Count, Q
from django.utils.translation import gettext, ngettext

from analysis.inputs.settings import PEOPLE
from analysis.models import AnalysisRun
from annotation.models import Assignment, Study
from judging.models import Judgment
from judging.review.waiting import HELD

State = Assignment.State


@dataclass(frozen=True)
class UncountedWork:
    """Uncounted work of one state.

    `works` are in the list of assignments in that state, only flagged ones if `marked`; `answers`
    are theirs, None where a study has none.
    """

    state: str
    works: int
    answers: int | None
    words: str
    marked: str = ""


@dataclass(frozen=True)
class Uncounted:
    parts: tuple[UncountedWork, ...]

    @property
    def held(self) -> int:
        """Number of submissions held for review."""
        return sum(part.works for part in self.parts if part.marked)

    @property
    def heading(self) -> str:
        """Title; work held for review still counts."""
        held = [bool(part.marked) for part in self.parts]
        if all(held):
            return gettext("Held for review")
        return gettext("Held or not counted") if any(held) else gettext("Not counted")


def uncounted_in(run: AnalysisRun) -> Uncounted:
    """Return the work of people that is not counted now, and work held for review."""
    study = run.study
    if run.pool != PEOPLE or run.batch_id is not None:
        return Uncounted(())
    parts = [_held(study), *_left_out(study)]
    return Uncounted(tuple(part for part in parts if part.works))


def _held(study: Study) -> UncountedWork:
    """Return flagged work without a decision, which counts until it is rejected."""
    judging = study.kind == Study.Kind.JUDGING
    works = Assignment.objects.filter(HELD, study=study) if judging else Assignment.objects.none()
    n = works.count()
    words = ngettext(
        "submission held for review: counts until rejected",
        "submissions held for review: count until rejected",
        n,
    )
    return UncountedWork(
        State.SUBMITTED,
        n,
        _answers(study, Q(assignment__in=works.values("pk"))) if n else None,
        words,
        "yes",
    )


def _left_out(study: Study) -> list[UncountedWork]:
    states = (State.REJECTED, State.ACTIVE)
    rows = Assignment.objects.filter(study=study, state__in=states).order_by().values_list("state")
    n = dict(rows.annotate(n=Count("pk")))
    words = {
        State.REJECTED: ngettext(
            "submission rejected: doesn't count",
            "submissions rejected: don't count",
            n.get(State.REJECTED, 0),
        ),
        State.ACTIVE: ngettext(
            "task in progress: doesn't count yet",
            "tasks in progress: don't count yet",
            n.get(State.ACTIVE, 0),
        ),
    }
    return [
        UncountedWork(
            state.value,
            n[state],
            _answers(study, Q(assignment__study=study, assignment__state=state)),
            words[state],
        )
        for state in states
        if n.get(state)
    ]


def _answers(study: Study, of: Q) -> int | None:
    if study.kind != Study.Kind.JUDGING:
        return None
    return Judgment.objects.filter(of, item__check_of=None).exclude(raw="").count()
