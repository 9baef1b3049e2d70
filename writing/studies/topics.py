"""Topics of a writing study: those of its onboarding, and those of its other tasks.

Only topics with passages can be written about. The draw is seeded: the same corpus, seed and
counts give the same topics again.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import ngettext

from annotation.corpora.systems import topics_of
from annotation.fieldwork.work.item_order import generator
from annotation.models import Corpus, Passage, Topic
from annotation.studies.creating import RefusedSetting

T = TypeVar("T")


@dataclass(frozen=True)
class DrawnTopics:
    onboarding: list[Topic]  # in the order in which newcomers get them
    main: list[Topic]  # none of the onboarding


def to_write_about(corpus: Corpus, chosen: Collection[str] | None = None) -> "QuerySet[Topic]":
    """Return the topics with passages, restricted to the chosen ones if given."""
    passages = Passage.objects.filter(topic=OuterRef("pk"))
    return topics_of(corpus, chosen=chosen).filter(Exists(passages))


def draw_topics(
    *,
    corpus: Corpus,
    seed: int,
    topics: int | None = None,
    onboarding_topics: int = 0,
    chosen: Collection[str] | None = None,
) -> DrawnTopics:
    """Draw the topics of the onboarding, then `topics` others (all if None).

    `chosen` restricts both to these keys. Raises RefusedSetting if there are too few.
    """
    candidates = list(to_write_about(corpus, chosen).order_by("pk"))
    onboarding, main = _drawn_from(
        candidates, seed=seed, topics=topics, onboarding_topics=onboarding_topics
    )
    return DrawnTopics(onboarding, main)


def drawn_ids(
    *,
    corpus: Corpus,
    seed: int,
    topics: int | None = None,
    onboarding_topics: int = 0,
    chosen: Collection[str] | None = None,
) -> tuple[list[int], list[int]]:
    """Return the ids of the topics that `draw_topics` draws, of the onboarding and the others."""
    candidates = to_write_about(corpus, chosen).order_by("pk").values_list("pk", flat=True)
    return _drawn_from(
        list(candidates), seed=seed, topics=topics, onboarding_topics=onboarding_topics
    )


def _drawn_from(
    candidates: Sequence[T], *, seed: int, topics: int | None, onboarding_topics: int
) -> tuple[list[T], list[T]]:
    if not 0 <= onboarding_topics < max(len(candidates), 1):
        raise RefusedSetting(
            "onboarding_topics",
            onboarding_topics,
            ngettext(
                "Only {n} topic has passages.", "Only {n} topics have passages.", len(candidates)
            ).format(n=len(candidates)),
        )
    order = generator("onboarding", seed).permutation(len(candidates))
    onboarding = [candidates[index] for index in order[:onboarding_topics]]
    first = set(order[:onboarding_topics].tolist())
    left = [topic for index, topic in enumerate(candidates) if index not in first]
    if topics is None:
        return onboarding, left
    if not 1 <= topics <= len(left):
        besides = (
            ngettext(
                " besides {n} onboarding topic", " besides {n} onboarding topics", onboarding_topics
            ).format(n=onboarding_topics)
            if onboarding
            else ""
        )
        raise RefusedSetting(
            "topics",
            topics,
            ngettext(
                "Only {n} topic has passages{besides}.",
                "Only {n} topics have passages{besides}.",
                len(left),
            ).format(n=len(left), besides=besides),
        )
    drawn = np.random.default_rng(seed).choice(len(left), size=topics, replace=False)
    return onboarding, [left[index] for index in sorted(drawn)]


def texts_to_accept(*, onboarding_topics: int, accepted: int | None = None) -> int:
    """Return the number of onboarding texts that must be accepted: all by default.

    Raises RefusedSetting.
    """
    if accepted is None:
        return onboarding_topics
    if not 1 <= accepted <= onboarding_topics:
        raise RefusedSetting(
            "onboarding_accepted",
            accepted,
            ngettext(
                "The onboarding has {n} topic.",
                "The onboarding has {n} topics.",
                onboarding_topics,
            ).format(n=onboarding_topics),
        )
    return accepted
