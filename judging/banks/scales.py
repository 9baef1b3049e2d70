"""One scale for the grades on the entries of a bank, which its studies may ask on different ones.

That is the scale of most grades of passages, or of answers where no passage is graded. People and
models count alike, so that their grades can be compared.
"""

from collections import Counter
from dataclasses import dataclass
from math import nan

from django.db.models import Count

from judging.answering.scales import ends_of
from judging.models import Bank, Question, Scale
from judging.raters.cells import Cell, counting

Ends = tuple[float, float]
UNIT: Ends = (0.0, 1.0)  # of a question without numbers
OF_PASSAGES = "passage_criterion"


@dataclass(frozen=True)
class BankScales:
    """Ends of the scale of each question, by study and key, and those of the common scale."""

    ends: dict[tuple[int, str], Ends]
    common: Ends

    @classmethod
    def of(cls, bank: Bank) -> "BankScales":
        questions = Question.objects.filter(instrument__bank=bank).select_related("scale")
        found = {(row.study_id, row.key): ends_of(row.scale.spec) for row in questions}
        ends = {key: of_scale for key, of_scale in found.items() if of_scale is not None}
        rows = counting(bank).filter(score__isnull=False).order_by()
        asked = {of_scale for row in questions if (of_scale := _ends_of_answers(row))}
        if len(asked) == 1 and rows.exists():
            return cls(ends, asked.pop())
        columns = ("item__study", "question__key", "item__kind")
        counts: dict[bool, Counter[Ends]] = {True: Counter(), False: Counter()}
        for study, question, kind, n in rows.values_list(*columns).annotate(n=Count("pk")):
            counts[kind == OF_PASSAGES][ends.get((study, question), UNIT)] += n
        mostly = counts[True] or counts[False] or Counter([UNIT])
        return cls(ends, max(mostly, key=lambda scale: (mostly[scale], scale)))

    def share_of(self, cell: Cell) -> float:
        """Return where the grade of a cell is on its scale, from 0 to 1; NaN without a score."""
        return nan if cell.score is None else self._share(cell.study, cell.question, cell.score)

    def grade_of(self, cell: Cell) -> float:
        """Return the grade of a cell on the common scale; NaN without a score."""
        return nan if cell.score is None else self.rescaled(cell.study, cell.question, cell.score)

    def _share(self, study: int, question: str, score: float) -> float:
        low, high = self.ends.get((study, question), UNIT)
        return min(max((score - low) / (high - low), 0.0), 1.0) if high > low else 0.0

    def rescaled(self, study: int, question: str, score: float) -> float:
        """Return a grade on the common scale."""
        if self.ends.get((study, question), UNIT) == self.common:
            return score
        low, high = self.common
        return low + self._share(study, question, score) * (high - low)


def _ends_of_answers(question: Question) -> Ends | None:
    """Return the ends of the scale of a question that gives scores; words give none."""
    if question.scale.kind == Scale.Kind.TEXT:
        return None
    return ends_of(question.scale.spec) or UNIT


def half_up(grade: float, *, digits: int = 0) -> float:
    """Return a grade rounded half up, as boards and pages do."""
    step: float = 10.0**digits
    return float((round(grade * step, 6) + 0.5) // 1 / step)
