"""Predicted effects of a decision about many submissions. Only reads."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db.models.functions import Coalesce

from annotation.fieldwork.review.platform_states import gone_among, paid_among
from annotation.models import Assignment, ReviewDecision, Study

Act = ReviewDecision.Decision


@dataclass(frozen=True)
class DecisionEffect:
    """Counts and money after a decision about `n` submissions.

    `pays` and `paid` are their cost afterwards and now, `frees` counts places that are free again,
    `settled` submissions are paid already, and `gone` ones ended on the platform without pay.
    """

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
    rows_read = list(
        rows.values_list("worker", "state", Coalesce("task__batch__pay", "study__pay"), "place")
    )
    every = sum((pay for _, _, pay, _ in rows_read), Decimal(0))
    paid = rows.paid().values_list(Coalesce("task__batch__pay", "study__pay"), flat=True)
    rejects = decision in (Act.REJECT, Act.REJECT_BUT_PAY)
    return DecisionEffect(
        n=len(rows_read),
        workers=len({worker for worker, *_ in rows_read}),
        states=dict(Counter(state for _, state, _, _ in rows_read)),
        pays=every if decision in ReviewDecision.PAID else Decimal(0),
        paid=sum(paid, Decimal(0)),
        frees=sum(place is not None for *_, place in rows_read) if rejects else 0,
        settled=len(paid_among(works)),
        gone=len(gone_among(works)),
    )
