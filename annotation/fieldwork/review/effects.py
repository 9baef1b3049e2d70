"""What a decision about many submissions would do, before it is made: counts and money.

Only reads.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db.models.functions import Coalesce

from annotation.fieldwork.review.platform_states import gone_among, paid_among
from annotation.models import Assignment, ReviewDecision, Study

State = Assignment.State
Act = ReviewDecision.Decision


@dataclass(frozen=True)
class DecisionEffect:
    """What becomes of `n` submissions: `pays` is what they cost afterwards together, `paid` what
    they cost as it stands; `frees` places are offered to others, `states` is how they stand.
    `settled` are paid already; of `gone` the submissions ended on the platform without pay."""

    n: int
    workers: int
    states: dict[str, int]
    pays: Decimal
    paid: Decimal
    frees: int
    settled: int = 0
    gone: int = 0


def effect_of(*, study: Study, works: Sequence[int], decision: str) -> DecisionEffect:
    rows = Assignment.objects.filter(study=study, pk__in=works)
    known = list(
        rows.values_list("worker", "state", Coalesce("task__batch__pay", "study__pay"), "place")
    )
    every = sum((pay for _, _, pay, _ in known), Decimal(0))
    paid = rows.paid().values_list(Coalesce("task__batch__pay", "study__pay"), flat=True)
    rejects = decision in (Act.REJECT, Act.REJECT_BUT_PAY)
    return DecisionEffect(
        n=len(known),
        workers=len({worker for worker, *_ in known}),
        states=dict(Counter(state for _, state, _, _ in known)),
        pays=every if decision in ReviewDecision.PAID else Decimal(0),
        paid=sum(paid, Decimal(0)),
        frees=sum(place is not None for *_, place in known) if rejects else 0,
        settled=len(paid_among(works)),
        gone=len(gone_among(works)),
    )
