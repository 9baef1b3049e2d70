"""Votes of the Crowd RAG Corpus 2025 as rows (Gienapp et al., SIGIR 2025)."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from annotation.corpora.crowdrag import TEXTS, BadCorpus, rows

VOTES = "study2_responses.jsonl.gz"
DEMOGRAPHIC = "study2_demographic.jsonl.gz"
FILES = (*TEXTS, VOTES, DEMOGRAPHIC)
LLM_RATINGS = "llm_ratings.jsonl.gz"  # where it is given
INFERENCES = ("combined", "individual")  # all questions at once, or one at a time

# Columns of the votes, in the order of the paper, and the questions they answer.
DIMENSIONS = {
    "validity": "correctness_topical",
    "coherence_logical": "coherence_logical",
    "coherence_stylistic": "coherence_stylistic",
    "coverage_broad": "coverage_broad",
    "coverage_deep": "coverage_deep",
    "consistency_internal": "consistency_internal",
    "quality_overall": "quality_overall",
}

Preference = Literal["A", "N", "B"]
Choice = Literal["A", "B"]
ObjectId = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{8}")]  # begins with its Unix time in hex


class CrowdragVote(msgspec.Struct):
    submission_id: str
    worker: str
    item_index: int
    query_id: str
    response_a: str
    response_b: str
    validity: Preference
    coherence_logical: Preference
    coherence_stylistic: Preference
    coverage_broad: Preference
    coverage_deep: Preference
    consistency_internal: Preference
    quality_overall: Choice
    line: int = 0  # of the file

    @property
    def pair(self) -> tuple[str, str]:
        return self.response_a, self.response_b


LlmRow = msgspec.defstruct(
    "LlmRow",
    [
        ("query_id", str),
        ("response_a", str),  # the one that the model was shown first
        ("response_b", str),
        ("inference", Literal["combined", "individual"]),
        *((name, Literal["a", "n", "b", "A", "N", "B"] | None) for name in DIMENSIONS.values()),
    ],
)


class DemographicRow(msgspec.Struct):
    worker: str
    submission: ObjectId
    url: str
    time_taken: Annotated[float, msgspec.Meta(ge=0)] | None = None


@dataclass(frozen=True)
class Sheet:
    """One worker's answers to one questionnaire, in item order."""

    questionnaire: str
    worker: str
    votes: list[CrowdragVote]


def sheets(path: Path) -> list[Sheet]:
    """Return the answered questionnaires, in the order of the file. Raises BadCorpus."""
    sheet_by_key: dict[tuple[str, str], list[CrowdragVote]] = {}
    for number, row in enumerate(rows(path, CrowdragVote), start=1):
        row.line = number
        sheet_by_key.setdefault((row.submission_id, row.worker), []).append(row)
    sheets = [
        Sheet(questionnaire, worker, sorted(votes, key=lambda vote: vote.item_index))
        for (questionnaire, worker), votes in sheet_by_key.items()
    ]
    _check_sheets(sheets, path.name)
    return sheets


def _check_sheets(sheets: list[Sheet], file: str) -> None:
    """Check that all workers of a questionnaire judged the same pairs in order, each once."""
    pairs: dict[str, list[tuple[str, str]]] = {}
    for sheet in sheets:
        own = [vote.pair for vote in sheet.votes]
        place = f"{file}:{sheet.votes[0].line}: questionnaire {sheet.questionnaire}"
        if len(set(own)) < len(own):
            raise BadCorpus("repeated_pair", f"{place} has a pair twice for worker {sheet.worker}")
        if pairs.setdefault(sheet.questionnaire, own) != own:
            raise BadCorpus("different_pairs", f"{place} has other pairs for worker {sheet.worker}")


@dataclass(frozen=True)
class Session:
    """Start and duration of a questionnaire, from the platform's export."""

    submission: str
    started_at: datetime
    duration: timedelta


def sessions(path: Path) -> dict[tuple[str, str], Session]:
    """Return sessions by (questionnaire, worker). A submission id begins with its Unix time."""
    session_by_key = {}
    for row in rows(path, DemographicRow):
        questionnaire = row.url.split("/")[-1].split(".html")[0]
        started_at = datetime.fromtimestamp(int(row.submission[:8], 16), UTC)
        duration = timedelta(seconds=row.time_taken or 0)
        session_by_key[questionnaire, row.worker] = Session(row.submission, started_at, duration)
    return session_by_key
