"""Whose answers count: a pool of raters. Only reads.

The one filter between judgments and whoever counts them, so that no machine is ever counted among
people: `people` is who worked in the study, crowd and experts, and is read where nothing else is
asked for. Labels that were imported (answers without an assignment) are in the pools of their
raters.
"""

from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Protocol

from django.db.models import Q, QuerySet

from annotation.models import Assignment, Batch, Study
from annotation.texts.sentences import Sentence
from judging.models import Item, Judgment, Rater
from judging.models.raters import PEOPLE

Kind = Rater.Kind
KINDS = {
    "people": (Kind.CROWD, Kind.EXPERT),
    "crowd": (Kind.CROWD,),
    "experts": (Kind.EXPERT,),
    "models": (Kind.MODEL,),
}
TITLES = {"people": "people", "crowd": "the crowd", "experts": "experts", "models": "models"}


class Fixed(Protocol):
    """Work that counts, by the ids of its assignments, and the highest id of an imported label: as
    a run of an analysis has fixed them."""

    @property
    def counting(self) -> list[int]: ...
    @property
    def labels(self) -> int: ...


class UnknownPool(ValueError):
    def __init__(self, name: str, study: Study) -> None:
        known = ", ".join(each.name for each in offered(study))
        super().__init__(
            Sentence(
                "There is no pool of raters {name!r} in study {slug}; there are {known}.",
                name=name,
                slug=study.slug,
                known=known,
            )
        )


@dataclass(frozen=True)
class Pool:
    """`name` is one of KINDS, or the pseudonym of one rater; empty for everybody, machines too,
    which no analysis reads."""

    name: str = PEOPLE

    def __str__(self) -> str:
        """As in a sentence: the votes of ..."""
        return TITLES.get(self.name, self.name)

    @property
    def label(self) -> str:
        """As in a list of choices."""
        return TITLES.get(self.name, "").capitalize() or self.name

    @property
    def raters(self) -> Q:
        """Of judgments: whose they are."""
        if not self.name:
            return Q()
        kinds = KINDS.get(self.name)
        return Q(rater__kind__in=kinds) if kinds else Q(rater__pseudonym=self.name)

    @property
    def is_working(self) -> bool:
        """Whether all of it is work: imported labels are in none of these."""
        return self.name in ("people", "crowd")

    def judgments(
        self, *, study: Study, batch: Batch | None = None, frozen: Fixed | None = None
    ) -> "QuerySet[Judgment]":
        """Their answers in work that counts, or in `frozen` work whatever became of it, and their
        imported labels, which are of no batch."""
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
        given = Judgment.objects.exclude(raw="")  # without those that were taken back
        # What is asked to see how people work is nobody's vote.
        given = given.exclude(item__in=Item.every.filter(study=study, check_of__isnull=False))
        return given.filter(self.raters, reduce(or_, sources))


EVERYBODY = Pool("")


def offered(study: Study) -> list[Pool]:
    """The pools that have answers in a study, `people` first; then each expert and model alone."""
    raters = Rater.objects.filter(judgments__item__study=study).exclude(kind=Kind.CROWD)
    others = list(
        raters.order_by("kind", "pseudonym").values_list("pseudonym", flat=True).distinct()
    )
    if not others:  # as in most studies: then people are all there is to choose
        return [Pool()]
    pools = [Pool(name) for name in (*KINDS, *others)]
    return [each for each in pools if each.name == PEOPLE or _has_answers(each, study)]


def _has_answers(pool: Pool, study: Study) -> bool:
    """The crowd alone is worth a choice where experts worked beside it."""
    rows = pool.judgments(study=study)
    if pool.name == "crowd":
        experts = Pool("experts").judgments(study=study).filter(assignment__isnull=False)
        return experts.exists() and rows.exists()
    return rows.exists()


def pool_of(*, name: str, study: Study) -> Pool:
    """The pool of this name, or of the rater whose pseudonym or name it is. Raises UnknownPool."""
    if name in KINDS:
        return Pool(name)
    raters = Rater.objects.filter(Q(pseudonym=name) | Q(name=name))
    theirs = raters.filter(judgments__item__study=study)
    pseudonym = theirs.values_list("pseudonym", flat=True).first()
    if pseudonym is None:
        raise UnknownPool(name, study)
    return Pool(pseudonym)
