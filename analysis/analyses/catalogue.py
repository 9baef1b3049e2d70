"""Every analysis that is offered: its name, the question it answers, what it assumes and reads.

An analysis reads a frame and answers with tables (`inputs.asked`). One that cannot be computed
raises CannotCompute, whose sentence stands where the tables would be.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from analysis.analyses.agreement import agreement, differentiable
from analysis.analyses.associations import associations
from analysis.analyses.competence import competence
from analysis.analyses.corrected import corrected
from analysis.analyses.cost import cost, savings
from analysis.analyses.grades import grades
from analysis.analyses.groups import groups, origins
from analysis.analyses.means import means
from analysis.analyses.orders import orders
from analysis.analyses.positions import positions
from analysis.analyses.process import process
from analysis.analyses.stability import stability
from analysis.analyses.texts import references, texts, wording
from analysis.inputs.asked import Asked, Tables


class Reads(StrEnum):
    """What an analysis reads: a frame of `analysis.inputs.reading`."""

    VOTES = "the votes on one question"
    ALL_VOTES = "the votes on all questions"
    GOLD = "the gold labels of one question, for some of the topics"
    ALL_GOLD = "the gold labels of all questions"
    GRADES = "the grades of all questions"
    TEXTS = "the texts and their passages"
    GRADED_TEXTS = "the grades of all questions, and the texts"
    PROCESS = "how each text was written"
    WORK = "what was paid for, and how long it took"


# The stage of an analysis that reads what others found; all else is there from the beginning.
LATER = {Reads.GOLD: 2, Reads.ALL_GOLD: 2, Reads.GRADES: 3, Reads.GRADED_TEXTS: 3}


@dataclass(frozen=True)
class Analysis:
    """`kinds` are the kinds of items that it makes sense for; "written" is a writing study."""

    name: str
    title: str
    answers: str
    assumes: str
    reads: Reads
    kinds: tuple[str, ...]
    function: Callable[[Asked], Tables]

    @property
    def stage(self) -> int:
        return LATER.get(self.reads, 1)


PAIR, RESPONSE, WRITTEN = "pair", "response", "written"

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
            "Who does not know answers by a habit of their own, whatever the item.",
            Reads.VOTES, (PAIR, RESPONSE), competence,
        ),
        Analysis(
            "corrected", "Agreement of the competent",
            "How far do competent workers agree, judged by items that did not tell who is?",
            "Items are exchangeable: competence on some of them says something about others.",
            Reads.VOTES, (PAIR, RESPONSE), corrected,
        ),
        Analysis(
            "orders", "Order effects",
            "Do the side and the place in the questionnaire change the answers?",
            "Sides, and orders where halves are compared, were drawn for each worker.",
            Reads.VOTES, (PAIR,), orders,
        ),
        Analysis(
            "position", "Position effect",
            "How much does it add to the merit of a text to stand on the left?",
            "It adds the same to every text; votes of different workers are independent.",
            Reads.VOTES, (PAIR,), positions,
        ),
        Analysis(
            "stability", "Stability of the ranking",
            "How near would fewer votes an item come to the ranking of all votes?",
            "Votes on an item are exchangeable.",
            Reads.VOTES, (PAIR,), stability,
        ),
        Analysis(
            "differentiable", "Agreement by how far items can be told apart",
            "Is agreement higher on items on which majorities form?",
            "Nothing: the votes choose the parts, so the comparison describes and proves nothing.",
            Reads.ALL_VOTES, (PAIR,), differentiable,
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
        Analysis(
            "associations", "Questions answered alike",
            "Which questions rank the same texts in the same way?",
            "Items are independent draws; pairs of one topic are not quite.",
            Reads.ALL_GOLD, (PAIR,), associations,
        ),
        Analysis(
            "groups", "Systems and styles",
            "Which systems, and which styles, have better responses, and which of them differ?",
            "Topics are independent draws from those one wants to speak about.",
            Reads.GRADES, (PAIR,), groups,
        ),
        Analysis(
            "origins", "People and models",
            "On the same topics, do people or models have the better responses?",
            "Topics are independent draws; differences are symmetric for the signed-rank test.",
            Reads.GRADES, (PAIR,), origins,
        ),
        Analysis(
            "texts", "Texts and citations",
            "How long are the texts, how many passages do they cite, and which?",
            "Topics are independent draws; bracketed numbers are citations.",
            Reads.TEXTS, (PAIR, RESPONSE, WRITTEN), texts,
        ),
        Analysis(
            "wording", "Reuse and readability",
            "How near is the wording to what is cited, and how easily does it read?",
            "Texts are English; lines of a passage, or its sentences, are alternative references.",
            Reads.TEXTS, (PAIR, RESPONSE, WRITTEN), wording,
        ),
        Analysis(
            "references", "Measures against a reference",
            "Would BLEU or ROUGE against the best text of a topic have ranked the others alike?",
            "The best-graded text is a fair reference.",
            Reads.GRADED_TEXTS, (PAIR,), references,
        ),
        Analysis(
            "process", "How texts were written",
            "How long did writers take, and how much did they type, paste and delete?",
            "What the log shows is evidence about a text, and no verdict on its writer.",
            Reads.PROCESS, (WRITTEN,), process,
        ),
        Analysis(
            "savings", "Fewer votes an item",
            "What would fewer votes an item save, and how often would the majority stay?",
            "Votes on an item are exchangeable; every vote costs the same.",
            Reads.VOTES, (PAIR, RESPONSE), savings,
        ),
        Analysis(
            "cost", "Cost and pay",
            "What do responses, judgments and gold labels cost, and what do workers earn an hour?",
            "Handed-in work is paid unless rejected without pay; the wage "
            "is that in active time.",
            Reads.WORK, (PAIR, RESPONSE, WRITTEN), cost,
        ),
    )
}  # fmt: skip
