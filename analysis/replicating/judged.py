"""What the judging tables are computed from: the votes of the scratch database, and the files.

Only reads.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from analysis import frames
from analysis.replicating import extra_files
from analysis.replicating.extra_files import DIMENSIONS
from analysis.stats.errors import CannotCompute
from analysis.stats.votes import Votes
from annotation.models import Corpus, Response, Study
from judging.crowdrag_importing import STUDY
from judging.models import Showing

PREFERENCES = ("a", "n", "b")  # in the order of the scale
VOTES_PER_ITEM = 5


@dataclass(frozen=True)
class Judged:
    """The judging study.

    votes: dimension -> the votes on it, with the columns of analysis.frames and
        `position` (1-15), where in its questionnaire the worker met the pair.
    responses: response, topic, style, origin (human, llm), text.
    """

    votes: dict[str, pd.DataFrame]
    responses: pd.DataFrame

    def counted(self, dimension: str) -> pd.DataFrame:
        """The first five votes of each pair."""
        frame = self.votes[dimension]
        return frame[frame["counted"]]

    def pairs(self) -> pd.DataFrame:
        """One row a directed pair: item, a, b, topic, and `unordered`, its name either way."""
        frame = self.votes[DIMENSIONS[0]]
        pairs = frame[["item", "a", "b", "topic"]].drop_duplicates("item", ignore_index=True)
        return pairs.assign(unordered=unordered(pairs["a"], pairs["b"]))


def unordered(a: "pd.Series[str]", b: "pd.Series[str]") -> "pd.Series[str]":
    """The name of a pair whatever its direction: "<lesser id>|<greater id>"."""
    first, second = a.where(a < b, b), b.where(a < b, a)
    return first + "|" + second


def options_of(dimension: str) -> tuple[str, ...]:
    """What could be answered: on the overall quality nobody may be neutral."""
    return ("a", "b") if dimension == "quality_overall" else PREFERENCES


def preferences(frame: pd.DataFrame, options: tuple[str, ...] = PREFERENCES) -> Votes:
    """Votes on a preference, from the columns item, worker, value."""
    return Votes.from_frame(frame[["item", "worker", "value"]], options=options)


def read() -> Judged:
    """The judging study from the database."""
    study = Study.objects.get(slug=STUDY)
    questions = {question.key: question for question in study.questions.select_related("scale")}
    positions = pd.DataFrame.from_records(
        Showing.objects.filter(assignment__study=study).values_list(
            "assignment_id", "item__key", "position"
        ),
        columns=["assignment", "item", "position"],
    )
    votes = {
        name: frames.votes(
            study=study, question=questions[name], votes_per_item=VOTES_PER_ITEM
        ).merge(positions, on=["assignment", "item"], how="left")
        for name in DIMENSIONS
    }
    return Judged(votes, _responses(study.corpus))


def _responses(corpus: Corpus) -> pd.DataFrame:
    rows = Response.objects.filter(corpus=corpus).order_by("key")
    return pd.DataFrame.from_records(
        rows.values_list("key", "topic__key", "style", "origin", "text"),
        columns=["response", "topic", "style", "origin", "text"],
    )


class Published:
    """The corpus's own ratings, LLM ratings and so on; each is read once, and may be absent.

    Reading an absent one raises `extra_files.Absent`, each time.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[str, pd.DataFrame | CannotCompute] = {}

    def gold(self) -> pd.DataFrame:
        return self._once(extra_files.published_ratings)

    def votes(self) -> pd.DataFrame:
        return self._once(extra_files.published_votes)

    def llm(self) -> pd.DataFrame:
        return self._once(extra_files.llm_ratings)

    def experts(self) -> pd.DataFrame:
        return self._once(extra_files.expert_votes)

    def pointwise(self) -> pd.DataFrame:
        return self._once(extra_files.pointwise_votes)

    def _once(self, reader: Callable[[Path], pd.DataFrame]) -> pd.DataFrame:
        name = reader.__name__
        if name not in self._read:
            try:
                self._read[name] = reader(self._folder)
            except extra_files.Absent as absent:
                self._read[name] = absent
        found = self._read[name]
        if isinstance(found, CannotCompute):
            raise found
        return found
