"""What the results page shows, gathered from the stored tables of a run. Only reads."""

from dataclasses import dataclass
from typing import Any

import pandas as pd
from django.db.models import Count

from analysis import findings
from analysis.models import AnalysisRun, AnalysisStep
from analysis.stats.means import mean_scores
from annotation.models import Response, Study


@dataclass(frozen=True)
class RunProgress:
    """How far a run is: steps done of all, and what failed."""

    run: AnalysisRun
    done: int
    steps: int
    errors: list[str]


@dataclass(frozen=True)
class AgreementRow:
    """Agreement of one question; intervals by items and by workers."""

    question: str
    text: str
    alpha: dict[str, Any] | None  # value, low, high, items, votes
    by_workers: dict[str, Any] | None
    percent: dict[str, Any] | None
    missing: str


@dataclass(frozen=True)
class WorkerRow:
    """Competence of one worker: the mean over questions, its range, and the votes behind it."""

    worker: str
    pooled: float
    low: float
    high: float
    votes: int
    by_question: list[float | None]


@dataclass(frozen=True)
class Spread:
    """Median and quartiles of the workers' mean competence; how many lie below one half."""

    median: float | None
    low: float | None
    high: float | None
    below: int


@dataclass(frozen=True)
class ResponseRow:
    """Grades, or mean scores, of one response; one cell a question."""

    response: str
    topic: str
    query: str
    style: str
    origin: str
    system: str
    cells: list[dict[str, Any] | None]  # value, low, high, n


def progress_of(study: Study) -> RunProgress | None:
    """The newest run of a study."""
    run = study_runs(study).first()
    if run is None:
        return None
    counts = dict(run.steps.values_list("state").annotate(n=Count("id")))
    done = counts.get(AnalysisStep.State.DONE, 0)
    return RunProgress(run, done, sum(counts.values()), findings.errors(run))


def study_runs(study: Study) -> Any:
    return AnalysisRun.objects.filter(study=study).order_by("-asked_at", "-pk")


def finished_run(study: Study) -> AnalysisRun | None:
    """The run that the results page shows: the newest that is done."""
    run: AnalysisRun | None = study_runs(study).filter(state=AnalysisRun.State.DONE).first()
    return run


def agreement_rows(run: AnalysisRun) -> list[AgreementRow]:
    frame = findings.tables(run, "agreement", "agreement")
    missing = {
        question: reason
        for analysis, question, reason in findings.missing(run)
        if analysis == "agreement"
    }
    found: dict[Any, Any] = {
        (row["question"], row["measure"], row["resampled"]): row for row in findings.records(frame)
    }
    return [
        AgreementRow(
            question.criterion.name,
            question.text,
            found.get((question.key, "alpha", "items")),
            found.get((question.key, "alpha", "workers")),
            found.get((question.key, "percent agreement", "items")),
            missing.get(question.key, ""),
        )
        for question in run.study.questions.select_related("criterion")
    ]


def worker_rows(run: AnalysisRun) -> list[WorkerRow]:
    """Workers, the least competent first: those a researcher wants to look at."""
    frame = findings.tables(run, "competence", "competence")
    if frame.empty:
        return []
    table = frame.pivot_table(index="worker", columns="question", values="competence")
    table = table.reindex(columns=findings.question_keys(run))
    votes = frame.groupby("worker")["votes"].sum()
    rows = [
        WorkerRow(
            str(worker),
            float(cells.mean()),
            float(cells.min()),
            float(cells.max()),
            int(votes[str(worker)]),
            [None if pd.isna(cell) else float(cell) for cell in cells],
        )
        for worker, cells in table.iterrows()
    ]
    return sorted(rows, key=lambda row: row.pooled)


def spread_of(workers: list[WorkerRow]) -> Spread:
    pooled = pd.Series([row.pooled for row in workers], dtype=float)
    if pooled.empty:
        return Spread(None, None, None, 0)
    low, median, high = pooled.quantile([0.25, 0.5, 0.75])
    return Spread(float(median), float(low), float(high), int((pooled < 0.5).sum()))


def response_rows(run: AnalysisRun) -> list[ResponseRow]:
    """Responses with their grades (pairs) or mean scores (single responses)."""
    frame = findings.tables(run, "grades", "grades")
    names = {"grade": "value", "grade_low": "low", "grade_high": "high", "compared": "n"}
    if frame.empty:
        frame = findings.tables(run, "means", "means")
        names = {"mean": "value", "item": "response"}
    if frame.empty:
        return []
    frame = frame.rename(columns=names)
    keys = findings.question_keys(run)
    cells: dict[str, dict[str, Any]] = {}
    for row in findings.records(frame[["response", "question", "value", "low", "high", "n"]]):
        cells.setdefault(row["response"], {})[row["question"]] = row
    responses = Response.objects.filter(corpus=run.study.corpus_id, key__in=cells)
    return [
        ResponseRow(
            response.key,
            response.topic.key,
            response.topic.query,
            response.get_style_display(),
            response.get_origin_display(),
            response.system.name if response.system else "",
            [cells[response.key].get(key) for key in keys],
        )
        for response in responses.select_related("topic", "system").defer("text").order_by("pk")
    ]


@dataclass(frozen=True)
class GroupRow:
    """Mean of the responses of a group (system, or style and origin); one cell a question."""

    group: str
    n: int
    cells: list[dict[str, float | None] | None]  # value, low, high, n


def group_rows(rows: list[ResponseRow], *, by: str) -> list[GroupRow]:
    """Means over groups of responses, by "system" or by "style", with t intervals."""
    groups: dict[str, list[ResponseRow]] = {}
    for row in rows:
        name = (
            f"{row.style}, {row.origin}" if by == "style" else row.system or f"{row.origin} writers"
        )
        groups.setdefault(name, []).append(row)
    return [
        GroupRow(
            name,
            len(members),
            [_mean(cells) for cells in zip(*(m.cells for m in members), strict=True)],
        )
        for name, members in sorted(groups.items())
    ]


def _mean(cells: tuple[dict[str, Any] | None, ...]) -> dict[str, float | None] | None:
    values = [cell["value"] for cell in cells if cell is not None]
    if not values:
        return None
    frame = mean_scores(pd.DataFrame({"item": "", "score": values})).frame
    found: dict[Any, Any] = frame.astype(object).where(frame.notna(), None).iloc[0].to_dict()
    return {"value": found["mean"], "low": found["low"], "high": found["high"], "n": found["n"]}
