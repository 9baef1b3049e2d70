"""Scores of texts and systems by each method of a study, and by imported scores. Only reads.

Columns of `method_scores`: method (key of the instrument, or name of an official order), by (text
or system), topic ("" of systems), unit (key), scale (criterion, scale or total; ANY of an imported
score, which has one value for all), value; low, high of texts and systems by totals.
"""

import pandas as pd

from analysis.inputs import frames
from analysis.inputs.analysis_input import frame_of
from analysis.inputs.run_data import OFFICIAL, measures_in, same_orders, same_text_scores
from analysis.inputs.scorers import comparing_scorer, scored_measures
from analysis.inputs.scores import response_scores
from analysis.models import AnalysisRun, Result

COLUMNS = ("method", "by", "topic", "unit", "scale", "value", "low", "high")
ANY = "*"
TEXT, SYSTEM = "text", "system"


def method_scores(run: AnalysisRun) -> pd.DataFrame:
    """Return the scores of all methods of a run, with the columns COLUMNS. Raises DataChanged."""
    responses = frames.responses(corpus=run.study.corpus).set_index("response")
    parts = [_totals(run)]
    parts += _of_texts(_without_totals(run, {*parts[0]["method"]}), responses)
    judged = {unit for part in parts for unit in part.loc[part["by"] == TEXT, "unit"]}
    imported = same_text_scores(run)
    imported = imported[imported["response"].isin(judged)]
    named = {"order": "method", "score": "value"}
    parts += _of_texts(imported.rename(columns=named).assign(scale=ANY), responses)
    if OFFICIAL in run.inputs:
        orders = same_orders(run).rename(columns=named | {"system": "unit"})
        parts.append(orders.assign(by=SYSTEM, topic="", scale=ANY))
    parts = [part for part in parts if len(part)]
    if not parts:
        return pd.DataFrame(columns=list(COLUMNS))
    frame = pd.concat(parts, ignore_index=True)
    return frame.reindex(columns=list(COLUMNS))


def _totals(run: AnalysisRun) -> pd.DataFrame:
    """Return the scores of the analysis `totals`, keyed by instrument."""
    results = Result.objects.filter(step__run=run, step__analysis="totals", missing="")
    stored = [frame_of(result.data["scores"]) for result in results.order_by("step")]
    if not stored:
        return pd.DataFrame(columns=list(COLUMNS))
    frame = pd.concat(stored, ignore_index=True)
    return frame.assign(method=frame["method"].str.partition(": ")[0])


def _without_totals(run: AnalysisRun, methods: set[str]) -> pd.DataFrame:
    """Return response scores of methods without totals, from their questions."""
    about = {
        measure.key: (measure.instrument, measure.about)
        for measure in scored_measures(measures_in(run))
        if measure.instrument not in methods
    }
    scores = response_scores(run, scoring=comparing_scorer) if about else pd.DataFrame()
    if scores.empty:
        return pd.DataFrame(columns=["method", "response", "scale", "value"])
    scores = scores[scores["question"].isin(about)]
    names = [about[question] for question in scores["question"]]
    return scores.assign(method=[name[0] for name in names], scale=[name[1] for name in names])


def _of_texts(scores: pd.DataFrame, responses: pd.DataFrame) -> list[pd.DataFrame]:
    """Return the scores of responses, and of systems as means over topics."""
    scores = scores[scores["response"].isin(responses.index)]
    if scores.empty:
        return []
    of_text = responses.loc[scores["response"]]
    scores = scores.assign(
        topic=of_text["topic"].to_numpy(), system=of_text["system"].to_numpy(), by=TEXT
    ).rename(columns={"response": "unit"})
    key = ["method", "scale", "system"]
    with_system = scores.dropna(subset="system")
    topics = with_system.groupby([*key, "topic"], sort=False)["value"].mean()
    systems = topics.groupby(key, sort=False).mean().reset_index()
    systems = systems.rename(columns={"system": "unit"}).assign(by=SYSTEM, topic="")
    return [scores, systems]
