"""Gain of more votes, topics or workers, predicted from a run."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import pandas as pd
from django.utils.translation import gettext

from analysis.models import AnalysisRun
from analysis.pages.results.run_results import RunResults
from analysis.runs.findings import records
from analysis.stats.bradley_terry.mixed_newton import Components
from analysis.stats.bradley_terry.next_by_topic import AHEAD
from analysis.stats.bradley_terry.vote_plans import PlannedFrom, plan_votes
from analysis.stats.errors import BadSetting
from annotation.texts.sentences import marked

ERRORS = (5, 10, 20)  # per cent of a topic's pairs in the wrong order that are good enough
USUAL = 10
MOST_PAIRS = 10  # of a question that the page names
ASSUMES = (
    marked(
        "Assumes that new topics, texts and participants resemble these. Ignores the "
        "uncertainty of the mixed model."
    ),
    marked("Assumes that votes are spread evenly over pairs and participants."),
    marked("Power is for the estimated differences, which small studies overestimate."),
    marked("Each plan spends all votes on one question."),
)


class NothingToPlanFrom(ValueError):
    """Error for a run without the results that plans need."""


@dataclass(frozen=True)
class QuestionPlan:
    """Plans for one question.

    plans: as vote_plans.plan_votes; topics: as next_by_topic, the topics that need votes first;
    error: the accepted share of pairs in the wrong order.
    """

    question: str
    title: str
    start: PlannedFrom
    reliability: float
    votes_for_80: int | None
    plans: pd.DataFrame
    topics: pd.DataFrame
    error: float

    @property
    def open(self) -> pd.DataFrame:
        """Topics that need more votes, those where they help most first."""
        waiting = self.topics[self.topics["wrong"] > self.error]
        return waiting.sort_values("gain", ascending=False, kind="stable", ignore_index=True)

    @property
    def wrong(self) -> float:
        """Expected share of pairs in the wrong order, over topics."""
        return float(self.topics["wrong"].mean()) if len(self.topics) else 0.0

    def as_json(self, pairs: int) -> dict[str, Any]:
        return {
            "title": self.title,
            "now": {
                "topics": self.start.topics,
                "workers": self.start.workers,
                "responses": self.start.responses,
                "votes_per_item": self.start.votes_per_item,
                "systems": len(self.start.merits),
                "components": asdict(self.start.components) | {"ties": self.start.tie_parameter},
                "reliability": self.reliability,
                "votes_for_80": self.votes_for_80,
            },
            "plans": records(self.plans),
            "next": {
                "error": self.error,
                "wrong": self.wrong,
                "topics": len(self.topics),
                "finished": len(self.topics) - len(self.open),
                "stop": not len(self.open),
                "votes_each": AHEAD,
                "pairs": records(self.open.head(pairs)),
            },
        }


@dataclass(frozen=True)
class ShownPlan:
    """Plans for one question on the page.

    Rows of `plans`; the number of `topics` and of `finished` ones; the first `pairs` to vote on.
    """

    title: str
    start: PlannedFrom
    reliability: float
    votes_for_80: int | None
    wrong: float
    rows: list[dict[str, Any]]
    topics: int
    finished: int
    pairs: list[dict[str, Any]]

    @classmethod
    def of(cls, plan: QuestionPlan) -> "ShownPlan":
        waiting = plan.open
        return cls(
            title=plan.title,
            start=plan.start,
            reliability=plan.reliability,
            votes_for_80=plan.votes_for_80,
            wrong=plan.wrong,
            rows=records(plan.plans),
            topics=len(plan.topics),
            finished=len(plan.topics) - len(waiting),
            pairs=records(waiting.head(MOST_PAIRS)),
        )


def shown_plans(found: RunResults, error: int) -> list[ShownPlan]:
    """Return the cached plans of all questions for one of ERRORS. Raises NothingToPlanFrom.

    The long table of topics is cut to the few that need votes first.
    """
    shown = found.kept(f"more-votes:{error}", lambda: _shown_plans(found, error))
    if isinstance(shown, str):
        raise NothingToPlanFrom(shown)
    return shown


def _shown_plans(found: RunResults, error: int) -> list[ShownPlan] | str:
    """Return the plans, or the reason for none, which takes as long to find."""
    try:
        return [ShownPlan.of(plan) for plan in _plans(found, error / 100)]
    except NothingToPlanFrom as nothing:
        return str(nothing)


def question_plans(
    run: AnalysisRun, *, error: float = 0.1, question: str = "", power: float = 0.8
) -> list[QuestionPlan]:
    """Return a plan for each question with a mixed model, or for this one.

    Raises NothingToPlanFrom, BadSetting.
    """
    if not 0 < error < 0.5:
        raise BadSetting("error", error, gettext("between 0 and .5"))
    return _plans(RunResults(run), error, question, power)


def _plans(
    found: RunResults, error: float, question: str = "", power: float = 0.8
) -> list[QuestionPlan]:
    found.read("mixed", ["components", "reliability", "systems", "next_votes"])
    row_by_question = {row["question"]: row for row in found.records("mixed", "components")}
    if not row_by_question:
        reasons = found.sentences("mixed")
        raise NothingToPlanFrom(
            " ".join(reasons)
            or gettext(
                "Run {pk} has no mixed model of votes. Analyse a pairwise study again."
            ).format(pk=found.run.pk)
        )
    if question and question not in row_by_question:
        raise NothingToPlanFrom(
            gettext("No mixed model for {question}. Available: {listed}.").format(
                question=question, listed=", ".join(row_by_question)
            )
        )
    return [
        _plan(found, row_by_question[key], error, power)
        for key in row_by_question
        if question in ("", key)
    ]


def _plan(found: RunResults, row: dict[str, Any], error: float, power: float) -> QuestionPlan:
    key = row["question"]
    (sure,) = found.records("mixed", "reliability", question=key)
    systems: Sequence[dict[str, Any]] = found.records("mixed", "systems", question=key)
    topics = found.table("mixed", "next_votes")
    start = PlannedFrom(
        components=Components(
            **{name: row[name] for name in Components.__dataclass_fields__},
        ),
        tie_parameter=row["tie_parameter"],
        merits=[system["merit"] for system in systems],
        topics=int(row["topics"]),
        workers=int(row["workers"]),
        responses=int(row["responses"]),
        items=sure["items"] / row["topics"],
        votes_per_item=sure["votes_per_item"],
    )
    enough = sure["votes_for_80"]
    return QuestionPlan(
        question=key,
        title=found.words.of(key),
        start=start,
        reliability=sure["reliability"],
        votes_for_80=None if enough is None else int(enough),
        plans=found.kept(
            f"plans:{key}:{power}",
            lambda: plan_votes(start, power=power, confidence=found.confidence),
        ),
        topics=topics[topics["question"] == key].drop(columns="question"),
        error=error,
    )
