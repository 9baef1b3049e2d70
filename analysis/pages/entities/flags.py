"""Rules that flag work, counted in the same way in every list.

A questionnaire is flagged by the rules of its examination, by low agreement with others and where
its worker agrees less than an honest one; a text by its terms and by the flags of its log, each
kind once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Self

from django.db.models import Q
from django.utils.translation import gettext

from analysis.models import AgreementWithOthers
from analysis.pages.entities.among import TextSet
from analysis.pages.entities.newest_results import competences, newest_of
from analysis.stats.agreement.rater_agreement import LEAST_RATERS, lower_limit
from annotation.models import Assignment, Study
from annotation.texts.translation import translated
from judging.review.evidence import EvidenceFlag
from writing.process.measured import title_of
from writing.review import terms

LOW_AGREEMENT, LOW_COMPETENCE = "low_agreement", "competence"


def middle_of(agreements: Sequence[float]) -> float | None:
    """Return the agreement of the middle questionnaire, None where there are too few."""
    return median(agreements) if len(agreements) >= LEAST_RATERS else None


@dataclass(frozen=True)
class Standard:
    """Agreement of the middle questionnaire of a study, and its flagged workers.

    limit: the agreement that 5 % of honest questionnaires fall short of.
    """

    middle: float | None
    below: frozenset[str]
    limit: float | None = None

    @classmethod
    def of(cls, study: Study, agreements: Sequence[float] | None = None) -> Self:
        """Read the standard of a study; `agreements` are all of its, where they are known."""
        if study.kind != Study.Kind.JUDGING:
            return cls(None, frozenset())
        values = _agreements(study) if agreements is None else agreements
        low = {
            name for name, competence in competences(newest_of(study)).items() if competence.mark
        }
        return cls(middle_of(values), frozenset(low), lower_limit(values))

    def is_low(self, high: float | None) -> bool:
        """Return whether an interval of agreement ends below the limit."""
        return high is not None and self.limit is not None and high < self.limit

    def rules(self, *, worker: str, high: float | None) -> list[str]:
        """Return the rules that mark a questionnaire beside those of its examination."""
        broken = [LOW_AGREEMENT] if self.is_low(high) else []
        return [*broken, LOW_COMPETENCE] if worker in self.below else broken

    @property
    def where(self) -> Q:
        """Condition of assignments that these rules mark."""
        condition = Q(worker__pseudonym__in=TextSet(self.below))
        if self.limit is not None:
            condition |= Q(agreement_with_others__high__lt=self.limit)
        return condition


def _agreements(study: Study) -> list[float]:
    rows = AgreementWithOthers.objects.filter(assignment__study=study)
    values = rows.values_list("value", flat=True)
    return [value for value in values if value is not None]


def marks_of(work: Assignment, standard: Standard) -> list[str]:
    """Return a sentence for each rule that marks the work."""
    if work.study.kind == Study.Kind.JUDGING:
        seen = getattr(work, "examination", None)
        marks = [translated(EvidenceFlag(**mark).sentence) for mark in seen.marks] if seen else []
        return [*marks, *_beside(work, standard)]
    process = getattr(getattr(work, "writing", None), "process", None)
    flags = [title_of(flag["kind"]) for flag in process.flags] if process else []
    return [*map(translated, terms.marks_of(work)), *dict.fromkeys(flags)]


def _beside(work: Assignment, standard: Standard) -> list[str]:
    mine = getattr(work, "agreement_with_others", None)
    sentences = {
        LOW_AGREEMENT: gettext("Lower agreement than 95% of submissions"),
        LOW_COMPETENCE: gettext("Lower agreement than expected on the same items"),
    }
    rules = standard.rules(worker=str(work.worker), high=mine.high if mine else None)
    return [sentences[rule] for rule in rules]
