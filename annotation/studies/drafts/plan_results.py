"""How sure the result of a draft will be: kept when Plan has found it, for pages that only tell it.

To find it takes seconds and an analysis; to know whether it is still true takes neither.
"""

import math
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from statistics import NormalDist
from typing import Any

import msgspec

from annotation.corpora.contents import State, state_of
from annotation.models import Corpus, Draft, Foreseen
from annotation.studies.drafts import cached_remarks
from annotation.studies.drafts.plain_data import plain
from annotation.studies.drafts.schema import Design, Document

WANTED = 0.8  # a chance that is called enough
MOST_TIMES = 10  # as many topics as there are
# What of an instrument changes neither its items nor how they are answered.
BESIDE = (
    *("title", "source", "instructions", "consent", "exit_form"),
    *("attention", "gold", "training"),
)


class Chance(msgspec.Struct, frozen=True):
    """That so many votes on each pair show a clear difference of the best two systems.

    limit: "topics" or "raters" where results name no winner with so few.
    """

    votes: int
    apart: float
    limit: str = ""


def topics_wanted(chance: Chance, topics: int) -> int | None:
    """About how many topics raise the chance to WANTED, at the same votes on each pair.

    The 95 % interval of the difference narrows with the square root of the number of topics, where
    further ones are like these and bring their workers: what stands z standard errors from 0 is
    seen with the chance Phi(z - 1.96). In two digits; None where it would take more than ten times
    as many, which a chance so near to that of no difference cannot tell.
    """
    normal = NormalDist()
    edge = normal.inv_cdf(0.975)
    quantile = normal.inv_cdf(min(max(chance.apart, 0.001), 0.999)) + edge
    if quantile <= 0 or (more := ((normal.inv_cdf(WANTED) + edge) / quantile) ** 2) > MOST_TIMES:
        return None
    needed = math.ceil(topics * max(more, 1.0))
    step: int = 10 ** max(len(str(needed)) - 2, 0)
    return -(-needed // step) * step


class PlannedPower(msgspec.Struct, frozen=True, kw_only=True):
    """The power that *Plan* computed, with its assumptions, or the reason `why` it has none.

    `published`: the variance components are those of the published study. `planned` is None where
    more votes are planned than *Plan* computes.
    """

    planned: Chance | None = None
    enough: Chance | None = None
    most: Chance | None = None
    systems: int = 0
    topics: int = 0
    share: float = 0.0
    competence: float = 1.0
    published: bool = True
    why: str = ""

    @property
    def is_low(self) -> bool:
        return self.enough is None if self.planned is None else self.planned.apart < WANTED

    @property
    def limit(self) -> str:
        """The lack that keeps results from naming a winner: "topics", "raters" or ""."""
        chance = self.planned or self.most
        return chance.limit if chance else ""

    @property
    def topics_wanted(self) -> int | None:
        """How many topics would be enough, with the most votes that were looked at."""
        return topics_wanted(self.most, self.topics) if self.most and self.topics else None


class PlanResult(msgspec.Struct, frozen=True):
    """What is kept of a draft; `sureness` is None where it was another draft then."""

    sureness: PlannedPower | None


def digest_of_design(document: Document, corpus: Corpus, state: State | None = None) -> str:
    """Return a digest of what the votes are simulated for; texts, pay and time do not matter."""
    digest_input = (
        document.kind,
        _drawn(document.design),
        document.recruitment.tasks_per_worker,
        [_designed(instrument) for instrument in document.instruments],
        state or state_of(corpus),
    )
    return sha256(msgspec.json.encode(digest_input)).hexdigest()


def _drawn(design: Design) -> dict[str, Any]:
    """Leave out systems and topics if all take part: older digests have no such keys."""
    fields: dict[str, Any] = plain(design)
    named = ("systems", "chosen_topics")
    return {name: value for name, value in fields.items() if name not in named or value is not None}


def _designed(instrument: Mapping[str, Any]) -> dict[str, Any]:
    designed = {name: value for name, value in instrument.items() if name not in BESIDE}
    figures = {
        name: value
        for name, value in instrument["defaults"].items()
        if name not in ("minutes", "minimum_seconds", "minimum_item_seconds")
    }
    if "questions" in designed:  # of their words nothing hangs
        designed["questions"] = [
            (question["criterion"], question["scale"]) for question in designed["questions"]
        ]
    return {**designed, "defaults": figures}


def keep(
    *,
    draft: Draft,
    document: Document,
    corpus: Corpus,
    sureness: PlannedPower,
    now: datetime,
    state: State | None = None,
) -> None:
    """Keep what was found for the document, unless that is kept already."""
    digest, result = digest_of_design(document, corpus, state), msgspec.to_builtins(sureness)
    stored = Foreseen.objects.filter(draft=draft).first()
    if stored is not None and (stored.digest, stored.found) == (digest, result):
        return
    cached_remarks.forget(draft.pk)
    Foreseen.objects.update_or_create(
        draft=draft, defaults={"digest": digest, "found": result, "at": now}
    )


def plan_result(
    *, draft: Draft, document: Document, corpus: Corpus, state: State | None = None
) -> PlanResult | None:
    """Return the latest result of *Plan*, or None."""
    stored = Foreseen.objects.filter(draft=draft).first()
    if stored is None:
        return None
    if stored.digest != digest_of_design(document, corpus, state):
        return PlanResult(None)
    return PlanResult(msgspec.convert(stored.found, PlannedPower))
