"""Leaderboards from earlier steps of a run, and official orders. Only reads."""

import pandas as pd

from analysis.inputs.analysis_input import frame_of
from analysis.models import AnalysisRun, Result
from annotation.corpora.official_orders import matched_orders
from annotation.models import Study
from annotation.texts.sentences import marked

BOARDS = ("question", "measure", "level", "system", "value")
ORDERS = ("order", "system", "score")
TEXT_SCORES = ("order", "response", "score")
MEAN, ELO = marked("mean score"), marked("Elo rating")


def boards_of(run: AnalysisRun) -> pd.DataFrame:
    """Return one row per board and system, with the columns BOARDS.

    Boards are measures of retrieval at each level, mean scores over topics, and Elo ratings.
    """
    results = Result.objects.filter(
        step__run=run, step__analysis__in=["groups", "games", "retrieval"], missing=""
    )
    frames = [
        frame
        for result in results.select_related("step").order_by("step")
        if len(frame := _board(result))
    ]
    if not frames:
        return pd.DataFrame(columns=list(BOARDS))
    return pd.concat(frames, ignore_index=True)


def _board(result: Result) -> pd.DataFrame:
    """Return the leaderboards of one step."""
    step = result.step
    if step.analysis == "retrieval":
        frame = frame_of(result.data["boards"]).assign(question=step.question)
    elif step.analysis == "games":
        frame = frame_of(result.data["elo"]).assign(question=step.question, measure=ELO, level=None)
        frame = frame.rename(columns={"rating": "value"})
    else:
        frame = frame_of(result.data["means"])
        if frame.empty:
            return frame
        frame = frame[frame["by"] == "system"].assign(measure=MEAN, level=None)
        frame = frame.rename(columns={"group": "system", "mean": "value"})
    return frame[list(BOARDS)].astype({"level": "object"})


def official_orders(study: Study) -> pd.DataFrame:
    """Return system scores from the official orders of the corpus, with the columns ORDERS."""
    rows = [
        (matched.order.name, system, score)
        for matched in matched_orders(study.corpus)
        for system, score in sorted(matched.scores.items())
    ]
    return pd.DataFrame(rows, columns=list(ORDERS))


def text_scores(study: Study) -> pd.DataFrame:
    """Return imported scores of texts, such as similarities, with the columns TEXT_SCORES."""
    rows = [
        (matched.order.name, response, score)
        for matched in matched_orders(study.corpus)
        for response, score in matched.texts.items()
    ]
    return pd.DataFrame(rows, columns=list(TEXT_SCORES))
