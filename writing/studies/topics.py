"""Topics of a writing study: those of its onboarding, and those of its other tasks.

Only topics with passages can be written about. The draw is seeded: the same corpus, seed and
counts give the same topics again.
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import ngettext

from annotation.corpora.systems import topics_of
from annotation.fieldwork.work.item_order import generator
from annotation.models import Corpus, Passage, Topic
from annotation.studies.creating import RefusedSetting


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
    first = {topic.pk for topic in onboarding}
    left = [topic for topic in candidates if topic.pk not in first]
    if topics is None:
        return DrawnTopics(onboarding, left)
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
    chosen = np.random.default_rng(seed).choice(len(left), size=topics, replace=False)
    return DrawnTopics(onboarding, [left[index] for index in sorted(chosen)])


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
