"""Every analysis that is offered: its name, the question it answers, what it assumes and reads.

An analysis reads a frame and answers with tables (`analysis.asked`). One that cannot be computed
raises CannotCompute, whose sentence stands where the tables would be.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from analysis.analyses.agreement import agreement
from analysis.analyses.competence import competence
from analysis.analyses.grades import grades
from analysis.analyses.means import means
from analysis.asked import Asked, Tables


class Reads(StrEnum):
    """What an analysis reads: a frame of `analysis.inputs`."""

    VOTES = "the votes on one question"
    GOLD = "the gold labels of one question, for some of the topics"
    ALL_GOLD = "the gold labels of all questions"
    GRADES = "the grades of all questions"


# Votes are there from the beginning; what others found comes in a later stage.
STAGE = {Reads.VOTES: 1, Reads.GOLD: 2, Reads.ALL_GOLD: 2, Reads.GRADES: 3}


@dataclass(frozen=True)
class Analysis:
    """`kinds` are the kinds of items that it makes sense for."""

    name: str
    title: str
    answers: str
    assumes: str
    reads: Reads
    kinds: tuple[str, ...]
    function: Callable[[Asked], Tables]

    @property
    def stage(self) -> int:
        return STAGE[self.reads]


PAIR, RESPONSE = "pair", "response"

CATALOGUE = {
    analysis.name: analysis
    for analysis in (
        Analysis(
            "agreement", "Agreement",
            "How far do workers who judged the same item give the same answer?",
            "Workers answer independently of each other.",
            Reads.VOTES, (PAIR, RESPONSE), agreement,
        ),
        Analysis(
            "competence", "Competence and gold labels",
            "How likely does each worker answer from knowledge, and what is each item's answer?",
            "Who does not know draws from an own habit, whatever the item.",
            Reads.VOTES, (PAIR, RESPONSE), competence,
        ),
        Analysis(
            "means", "Mean scores",
            "What score does each response get on average?",
            "The options of the scale are equally far apart.",
            Reads.VOTES, (RESPONSE,), means,
        ),
        Analysis(
            "grades", "Grades",
            "In which order do the responses of a topic stand, by the gold labels of their pairs?",
            "Each response has one merit, and pairs differ from it by chance alone.",
            Reads.GOLD, (PAIR,), grades,
        ),
    )
}  # fmt: skip
