"""Summary of a draft at the foot of its pages: work, participants, pay, cost, power. Only reads."""

from dataclasses import dataclass

from annotation.corpora.contents import State, state_of
from annotation.models import Draft
from annotation.studies.drafts.kinds import Outline, kind_of
from annotation.studies.drafts.plan_results import WANTED, plan_result
from annotation.studies.drafts.schema import Document
from annotation.studies.drafts.workload import outline_or_why
from annotation.studies.wages import TaskTerms

MAX_TASKS, MAX_PAY = 10**6, 10**6  # larger values are faults of their own


@dataclass(frozen=True)
class Dock:
    """Figures of a draft; empty where a fault keeps them from being computed.

    `fewest` and `places` are the fewest and the most participants. `power` is None until *Plan*
    has computed it; `compares` is False for a study without a power.
    """

    outline: Outline
    fewest: int
    places: int
    terms: TaskTerms | None
    compares: bool
    power: float | None

    @property
    def has_enough_power(self) -> bool:
        return self.power is not None and self.power >= WANTED


def dock_of(
    draft: Draft, document: Document, state: State | None = None
) -> tuple[Dock | None, str]:
    """Return the summary of a draft, or the reason why it has none.

    `state` is that of its corpus, if the caller has it.
    """
    if draft.corpus is None or not document.instruments:
        return None, ""
    state = state or state_of(draft.corpus)
    outline, why = outline_or_why(document, draft.corpus, state)
    if outline is None:
        return None, why
    most = document.recruitment.tasks_per_worker
    fewest, places = outline.people(tasks_per_worker=most) if 0 < most < MAX_TASKS else (0, 0)
    is_paid = outline.pay.is_finite() and 0 < outline.pay < MAX_PAY
    compares = kind_of(document.kind).compares(document)
    result = None
    if compares:
        result = plan_result(draft=draft, document=document, corpus=draft.corpus, state=state)
    planned = result.sureness.planned if result and result.sureness else None
    dock = Dock(
        outline=outline,
        fewest=fewest,
        places=places,
        terms=outline.expected(target=document.recruitment.hourly_wage) if is_paid else None,
        compares=compares,
        power=planned.named if planned else None,
    )
    return dock, ""
