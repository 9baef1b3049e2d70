"""Pools: the raters whose judgments are read.

This is the only filter between judgments and their readers, so that no model counts as a person:
`people` are those who worked in the study, crowd and experts, and the default. Imported labels
(judgments without an assignment) are in the pools of their raters.
"""

from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Protocol

from django.db.models import Q, QuerySet

from annotation.models import Assignment, Batch, Study
from annotation.texts.sentences import Sentence
from judging.models import Item, Judgment, Rater
from judging.models.raters import OTHER_CROWD, PEOPLE

Kind = Rater.Kind
KINDS = {
    "people": (Kind.CROWD, Kind.EXPERT),
    "crowd": (Kind.CROWD,),
    "experts": (Kind.EXPERT,),
    "models": (Kind.MODEL,),
    OTHER_CROWD: (Kind.CROWD,),
}
TITLES = {"people": "people", "crowd": "the crowd", "experts": "experts", "models": "models"} | {
    OTHER_CROWD: "the imported crowd"
}


class FixedJudgments(Protocol):
    """Submissions and the highest label id that a run of an analysis has fixed."""

    @property
    def counting(self) -> list[int]: ...
    @property
    def labels(self) -> int: ...


class UnknownPool(ValueError):
    def __init__(self, name: str, study: Study) -> None:
        names = ", ".join(pool.name for pool in offered(study))
        super().__init__(
            Sentence(
                "Study {slug} has no rater pool {name!r}. Available: {known}.",
                name=name,
                slug=study.slug,
                known=names,
            )
        )


@dataclass(frozen=True)
class Pool:
    """`name` is one of KINDS, or a rater's pseudonym; empty for all, which no analysis reads."""

    name: str = PEOPLE

    def __str__(self) -> str:
        """Return the name in a sentence: the votes of ..."""
        return TITLES.get(self.name, self.name)

    @property
    def label(self) -> str:
        """The name in a list of choices."""
        return TITLES.get(self.name, "").capitalize() or self.name

    @property
    def raters(self) -> Q:
        """Filter of judgments by rater."""
        if not self.name:
            return Q()
        if self.name == OTHER_CROWD:
            return Q(rater__kind=Kind.CROWD, rater__worker=None)
        kinds = KINDS.get(self.name)
        return Q(rater__kind__in=kinds) if kinds else Q(rater__pseudonym=self.name)

    @property
    def is_working(self) -> bool:
        """True if the pool has no imported labels."""
        return self.name in ("people", "crowd")

    def judgments(
        self, *, study: Study, batch: Batch | None = None, frozen: FixedJudgments | None = None
    ) -> "QuerySet[Judgment]":
        """Return judgments of submissions that count, or of `frozen` ones, and imported labels.

        Labels belong to no batch.
        """
        if frozen is not None:
            work = Q(assignment__in=frozen.counting)
        else:
            counting = Assignment.objects.filter(study=study, state__in=Assignment.COUNTING)
            work = Q(assignment__in=counting.values("pk"))
        if batch is not None:
            work &= Q(assignment__task__batch=batch)
        sources = [work]
        if not self.is_working and batch is None:
            labels = Q(assignment=None, item__in=Item.objects.filter(study=study).values("pk"))
            sources.append(labels & Q(pk__lte=frozen.labels) if frozen else labels)
        judgments = Judgment.objects.exclude(raw="")  # without those that were taken back
        # What is asked to see how people work is nobody's vote.
        judgments = judgments.exclude(
            item__in=Item.every.filter(study=study, check_of__isnull=False)
        )
        return judgments.filter(self.raters, reduce(or_, sources))


EVERYBODY = Pool("")


def offered(study: Study) -> list[Pool]:
    """Return the pools with answers in a study: `people` first, then each expert and model."""
    raters = Rater.objects.filter(judgments__item__study=study)
    others = list(
        raters.exclude(kind=Kind.CROWD)
        .order_by("kind", "pseudonym")
        .values_list("pseudonym", flat=True)
        .distinct()
    )
    if (
        not others and not raters.filter(kind=Kind.CROWD, worker=None).exists()
    ):  # as in most studies: then people are all there is to choose
        return [Pool()]
    pools = [Pool(name) for name in (*KINDS, *others)]
    return [pool for pool in pools if pool.name == PEOPLE or _has_answers(pool, study)]


def _has_answers(pool: Pool, study: Study) -> bool:
    """Return whether the pool has answers; the crowd alone only where experts worked, too."""
    rows = pool.judgments(study=study)
    if pool.name == "crowd":
        experts = Pool("experts").judgments(study=study).filter(assignment__isnull=False)
        return experts.exists() and rows.exists()
    return rows.exists()


def pool_of(*, name: str, study: Study) -> Pool:
    """Return the pool of this name, pseudonym or rater's name. Raises UnknownPool."""
    if name in KINDS:
        return Pool(name)
    raters = Rater.objects.filter(Q(pseudonym=name) | Q(name=name))
    theirs = raters.filter(judgments__item__study=study)
    pseudonym = theirs.values_list("pseudonym", flat=True).first()
    if pseudonym is None:
        raise UnknownPool(name, study)
    return Pool(pseudonym)
