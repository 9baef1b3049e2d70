"""Power of a draft as *Plan* computed it, kept for pages that only show it.

Computing it takes seconds and an analysis; checking whether it is still valid takes neither.
"""

from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any

import msgspec

from annotation.corpora.contents import State, state_of
from annotation.models import Corpus, Draft, Foreseen
from annotation.studies.drafts import cached_remarks
from annotation.studies.drafts.plain_data import plain
from annotation.studies.drafts.schema import Design, Document

WANTED = 0.8  # a chance that is called enough
# What of an instrument changes neither its items nor how they are answered.
BESIDE = (
    *("title", "source", "instructions", "consent", "exit_form"),
    *("attention", "gold", "training"),
)


class Chance(msgspec.Struct, frozen=True):
    """Probability that results name the best system the winner with so many votes on each pair.

    limit: "topics" or "raters" where results name no winner with so few. workers: those that the
    votes take.
    """

    votes: int
    named: float
    limit: str = ""
    workers: int = 0


class PlannedPower(msgspec.Struct, frozen=True, kw_only=True):
    """The power that *Plan* computed, with its assumptions, or the reason `why` it has none.

    `published`: the variance components are those of the published study. `planned` is None where
    more votes are planned than *Plan* computes. With the `most` votes, `topics_wanted` topics would
    be enough (None if nobody can tell); `lever`, "topics" or "raters", adds more to the error.
    """

    planned: Chance | None = None
    enough: Chance | None = None
    most: Chance | None = None
    systems: int = 0
    topics: int = 0
    topics_wanted: int | None = None
    lever: str = "topics"
    share: float = 0.0
    competence: float = 1.0
    published: bool = True
    why: str = ""

    @property
    def is_low(self) -> bool:
        return self.enough is None if self.planned is None else self.planned.named < WANTED

    @property
    def limit(self) -> str:
        """The lack that keeps results from naming a winner: "topics", "raters" or ""."""
        chance = self.planned or self.most
        return chance.limit if chance else ""


OF_PAGE = ("question_order", "background")  # no vote is simulated for them
NAMED = ("systems", "chosen_topics")
ADDED = {"empty_answers": "shown"}  # settings that older digests lack, with their defaults


class PlanResult(msgspec.Struct, frozen=True):
    """Stored plan of a draft; `sureness` is None if the draft was another one then."""

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
    """Leave out how a page looks; and systems, topics and arms if all take part, as formerly."""
    fields: dict[str, Any] = plain(design)
    return {
        name: value
        for name, value in fields.items()
        if name not in OF_PAGE
        and (name not in NAMED or value is not None)
        and (name not in ADDED or value != ADDED[name])
        and (name != "arms" or value != "all")
    }


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
