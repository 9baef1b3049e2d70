"""Contents of single results pages, from the stored tables of a run."""

from analysis.pages.results.pages.agreement import AgreementRow, agreement_rows, headline_alphas
from analysis.pages.results.pages.responses import (
    GroupRow,
    ResponseScores,
    compared_rows,
    response_rows,
)
from analysis.pages.results.pages.runs import RunProgress, pool_asked_for, progress_of
from analysis.pages.results.pages.topics import RankedText, TopicCard, by_topic, cards, matching
from analysis.pages.results.pages.workers import Spread, WorkerCompetence, spread_of, worker_rows

__all__ = [
    "AgreementRow",
    "GroupRow",
    "RankedText",
    "ResponseScores",
    "RunProgress",
    "Spread",
    "TopicCard",
    "WorkerCompetence",
    "agreement_rows",
    "by_topic",
    "cards",
    "compared_rows",
    "headline_alphas",
    "matching",
    "pool_asked_for",
    "progress_of",
    "response_rows",
    "spread_of",
    "worker_rows",
]
