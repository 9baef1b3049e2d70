"""Inputs of the judging tables: the votes of the scratch database, and the files. Only reads."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import pandas as pd

from analysis.inputs import frames
from analysis.inputs.measures import measures_of
from analysis.replication import corpus_files
from analysis.replication.cells import TableCells
from analysis.replication.corpus_files import DIMENSIONS
from analysis.stats.errors import CannotCompute
from analysis.stats.votes import Votes
from annotation.corpora.crowdrag import BadCorpus
from annotation.models import Corpus, Response, Study
from annotation.studies.wages import hourly
from judging.crowdrag.importing import STUDY

PREFERENCES = ("a", "n", "b")  # in the order of the scale
VOTES_PER_ITEM = 5


@dataclass(frozen=True)
class JudgingStudy:
    """The judging study.

    votes: dimension -> the votes on it, with the columns of analysis.inputs.frames.
    responses: response, topic, style, origin (human, llm), text.
    minutes: duration of each questionnaire, where that is known.
    """

    votes: dict[str, pd.DataFrame]
    responses: pd.DataFrame
    minutes: list[float]

    def counted(self, dimension: str) -> pd.DataFrame:
        """Return the first five votes of each pair."""
        frame = self.votes[dimension]
        return frame[frame["counted"]]

    def pairs(self) -> pd.DataFrame:
        """Return one row a directed pair: item, a, b, topic, `unordered` (undirected name)."""
        frame = self.votes[DIMENSIONS[0]]
        pairs = frame[["item", "a", "b", "topic"]].drop_duplicates("item", ignore_index=True)
        return pairs.assign(unordered=unordered(pairs["a"], pairs["b"]))


def unordered(a: "pd.Series[str]", b: "pd.Series[str]") -> "pd.Series[str]":
    """Return the undirected name of a pair: "<lesser id>|<greater id>"."""
    first, second = a.where(a < b, b), b.where(a < b, a)
    return first + "|" + second


def options_of(dimension: str) -> tuple[str, ...]:
    """Return the options of a dimension: on the overall quality nobody may be neutral."""
    return ("a", "b") if dimension == "quality_overall" else PREFERENCES


def preferences(frame: pd.DataFrame, options: tuple[str, ...] = PREFERENCES) -> Votes:
    """Return votes on a preference, from the columns item, worker, value."""
    return Votes.from_frame(frame[["item", "worker", "value"]], options=options)


def read() -> JudgingStudy:
    """Read the judging study from the database."""
    study = Study.objects.get(slug=STUDY)
    measures = {measure.key: measure for measure in measures_of(study)}
    votes = {
        name: frames.votes(study=study, measure=measures[name], votes_per_item=VOTES_PER_ITEM)
        for name in DIMENSIONS
    }
    times = study.assignments.values_list("started_at", "submitted_at")
    minutes = [(end - start).total_seconds() / 60 for start, end in times if start and end]
    durations = [
        duration for duration in minutes if duration
    ]  # a duration of 0 is one that is not known
    return JudgingStudy(votes, responses_of(study.corpus), durations)


def responses_of(corpus: Corpus) -> pd.DataFrame:
    """Return one row a response: response, topic, style, origin, text."""
    rows = Response.objects.filter(corpus=corpus).order_by("key")
    return pd.DataFrame.from_records(
        rows.values_list("key", "topic__key", "style", "origin", "text"),
        columns=["response", "topic", "style", "origin", "text"],
    )


class PublishedFiles:
    """The corpus's own ratings, LLM ratings and so on; each is read once, and may be absent.

    Reading an absent or broken one raises CannotCompute, each time.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[str, pd.DataFrame | CannotCompute] = {}

    def gold(self) -> pd.DataFrame:
        return self._once(corpus_files.published_ratings)

    def votes(self) -> pd.DataFrame:
        return self._once(corpus_files.published_votes)

    def llm(self) -> pd.DataFrame:
        return self._once(corpus_files.llm_ratings)

    def experts(self) -> pd.DataFrame:
        return self._once(corpus_files.expert_votes)

    def pointwise(self) -> pd.DataFrame:
        return self._once(corpus_files.pointwise_votes)

    def _once(self, reader: Callable[[Path], pd.DataFrame]) -> pd.DataFrame:
        name = reader.__name__
        if name not in self._read:
            try:
                self._read[name] = reader(self._folder)
            except corpus_files.AbsentFile as absent:
                self._read[name] = absent
            except BadCorpus as error:
                self._read[name] = CannotCompute(
                    "broken_corpus_file", f"{error}. Nothing of this file was used."
                )
        content = self._read[name]
        if isinstance(content, CannotCompute):
            raise content
        return content


SPENT, PAY = 3672.54, 5.50  # dollars in all with pilots, fees and tax, and a questionnaire (3.2.4)
GOLD = 5  # votes behind a gold label


def fill_counts(cells: TableCells, judged: JudgingStudy) -> None:
    """Fill in the judging half of table 1."""
    votes = sum(int(frame["counted"].sum()) for frame in judged.votes.values())
    every = judged.votes[DIMENSIONS[0]]
    minutes = fmean(judged.minutes) if judged.minutes else float("nan")
    sheet = len(DIMENSIONS) * len(every) / every["assignment"].nunique()
    for name, value in (
        ("topics_judged", int(every["topic"].nunique())),
        ("criteria", len(judged.votes)),
        ("pairs", int(every["item"].nunique())),
        ("votes", votes),
        ("judges", int(every["worker"].nunique())),
        ("votes_per_judge", votes / every["worker"].nunique()),
        ("minutes_per_vote", minutes / sheet),
        ("dollars_per_hour_judging", hourly(pay=PAY, minutes=minutes)),
        ("dollars_per_vote", SPENT / votes),
        ("dollars_per_gold_label", SPENT / votes * GOLD),
    ):
        cells.put("table1", name, value=value)
    cells.put("counts", "minutes_per_questionnaire", value=minutes)
