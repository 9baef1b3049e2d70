"""Scores of units by every measure, and of the responses for which units speak.

A unit is what was judged: a response, a passage, ... Systems are compared by responses: a passage
speaks for the responses that cite it, a segment for its response. Only reads.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd
from django.db.models.fields.json import KeyTransform

from analysis.inputs import frames
from analysis.inputs.analysis_input import frame_of
from analysis.inputs.measures import Measure, measures_of
from analysis.inputs.scorers import Scorer, Scoring, comparing_scorer, scored_measures, scorer_of
from analysis.inputs.selected_rows import SelectedRows, selected_rows
from analysis.models import AnalysisRun, Result
from annotation.models import Citation, Study
from judging.items.kinds import Holds, item_kind
from judging.models import Item

SCORES = ("unit", "level_of_unit", "topic", "measure", "value", "low", "high", "n", "method")
FOR_RESPONSES = ("question", "response", "value", "low", "high", "n")
SUBJECT = ("answered", "about", "holds")
GAP = float("nan")


def response_scores(
    run: AnalysisRun,
    *,
    scoring: Scoring = scorer_of,
    topics: Collection[str] | None = None,
    questions: Collection[str] | None = None,
    measures: Sequence[Measure] | None = None,
) -> pd.DataFrame:
    """Return one row for each response and measure: columns FOR_RESPONSES.

    `topics` and `questions` (keys) limit the rows; `measures` are the scored ones of the study, if
    they are known already. Where other units speak for a response, it has their mean, n is their
    number, and there is no interval.
    """
    units = unit_scores(run, scoring, topics, questions, measures)
    itself = (units["holds"] == Holds.RESPONSE) & (units["level_of_unit"] == Holds.RESPONSE)
    others = units[~itself]
    direct = units[itself].rename(columns={"measure": "question", "unit": "response"})
    frames_of = [direct[list(FOR_RESPONSES)]]
    if len(others):
        frames_of.append(_means(_spoken_for(others, run.study)))
    return pd.concat(frames_of, ignore_index=True) if len(others) else frames_of[0]


def speakers(run: AnalysisRun) -> pd.DataFrame:
    """Return the responses that units speak for: question, topic, unit, response."""
    units = unit_scores(run, comparing_scorer)
    spoken = _spoken_for(units, run.study) if len(units) else units.assign(response=None)
    spoken = spoken.rename(columns={"measure": "question"}).drop(columns="unit")
    return spoken.rename(columns={"answered": "unit"})[["question", "topic", "unit", "response"]]


def _spoken_for(units: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Return the units with each response that they speak for, in a column `response`."""
    spoken = [units[units["holds"] == Holds.RESPONSE].assign(response=lambda rows: rows["about"])]
    segments = units[units["holds"] == Holds.SEGMENT]
    texts = [str(key).rpartition(":")[0] for key in segments["about"]]
    spoken.append(segments.assign(response=texts))
    passages = units[units["holds"] == Holds.PASSAGE]
    spoken.append(passages.merge(_citations(study), on=["topic", "about"]))
    return pd.concat([frame for frame in spoken if len(frame)] or [spoken[0]], ignore_index=True)


def _citations(study: Study) -> pd.DataFrame:
    """Return each citation once: topic, about (key of the passage), response."""
    rows = Citation.objects.filter(response__corpus=study.corpus_id).order_by("response", "passage")
    return pd.DataFrame.from_records(
        rows.values_list("passage__topic__key", "passage__key", "response__key").distinct(),
        columns=["topic", "about", "response"],
    )


def _means(units: pd.DataFrame) -> pd.DataFrame:
    groups = units.groupby(["measure", "response"], sort=False)
    means = groups.agg(value=("value", "mean"), n=("value", "size")).reset_index()
    means = means.rename(columns={"measure": "question"}).assign(low=GAP, high=GAP)
    return means[list(FOR_RESPONSES)]


# -- From the tables of analyses to scores --------------------------------------------------------


def unit_scores(
    run: AnalysisRun,
    scoring: Scoring = scorer_of,
    topics: Collection[str] | None = None,
    questions: Collection[str] | None = None,
    measures: Sequence[Measure] | None = None,
) -> pd.DataFrame:
    """Return the scores with the unit as it was `answered`, and the content it is `about`."""
    if measures is None:
        measures = scored_measures(measures_of(run.study, pool=run.pool))
    scorers = [
        (measure, scoring(measure, run.parameters))
        for measure in measures
        if questions is None or measure.key in questions
    ]
    if topics is not None:
        return _of_topics(run, scorers, topics)
    tables = [
        (step, _scored(run.study, measure, scorer, rows))
        for measure, scorer in scorers
        for step, rows in _tables(run, measure, scorer)
    ]
    frames = [rows for _, rows in sorted(tables, key=lambda each: each[0]) if len(rows)]
    if not frames:
        return pd.DataFrame(columns=[*SCORES, *SUBJECT])
    return pd.concat(frames, ignore_index=True)


def _picked(
    run: AnalysisRun, scorers: Sequence[tuple[Measure, Scorer]], topics: Collection[str]
) -> dict[Scorer, list[SelectedRows]]:
    """Return the scores of these topics by scorer, of all its measures in one query."""
    keys: dict[Scorer, list[str]] = {}
    for measure, scorer in scorers:
        keys.setdefault(scorer, [""]).append(measure.key)
    rows_by_scorer = {}
    for scorer, questions in keys.items():
        by, values = "topic", topics
        if scorer.unit == "item":
            items = Item.objects.filter(study=run.study, topic__key__in=topics)
            by, values = "item", list(items.values_list("key", flat=True))
        rows = selected_rows(
            run, scorer.analysis, scorer.table, column=by, values=values, questions=questions
        )
        rows_by_scorer[scorer] = list(rows)
    return rows_by_scorer


def _of_topics(
    run: AnalysisRun, scorers: Sequence[tuple[Measure, Scorer]], topics: Collection[str]
) -> pd.DataFrame:
    """Return the scores of a few topics, row by row: a frame for each measure is slower."""
    stored = _picked(run, scorers, topics)
    step_rows = [
        (stored_step.step, row)
        for measure, scorer in scorers
        for stored_step in stored[scorer]
        if stored_step.question in ("", measure.key)
        for row in _scored_rows(run.study, measure, scorer, stored_step.rows, topics)
    ]
    step_rows.sort(key=lambda each: each[0])
    return pd.DataFrame.from_records([row for _, row in step_rows], columns=[*SCORES, *SUBJECT])


def _scored_rows(
    study: Study,
    measure: Measure,
    scorer: Scorer,
    rows: Sequence[Mapping[str, Any]],
    topics: Collection[str],
) -> Iterator[dict[str, Any]]:
    own_rows = [row for row in rows if row.get("question", measure.key) == measure.key]
    if not own_rows:
        return
    kind = item_kind(measure.kind)
    holds = kind.subject.holds.value
    is_item, items = scorer.unit == "item", {}
    if is_item:
        item_frame = frames.items_of(study=study, kind=kind, topics=topics)
        subjects = zip(
            item_frame["item"], item_frame[kind.subject.name], item_frame["topic"], strict=True
        )
        items = {item: (about, topic) for item, about, topic in subjects}
    for row in own_rows:
        unit = row[scorer.unit]
        named = unit if unit in items else str(unit).rpartition("/")[0]  # a slot of an item
        about, topic = items.get(named, (None, None)) if is_item else (unit, row.get("topic"))
        is_alone = not is_item or len(kind.slots) == 1
        yield {
            **{name: row[column] for column, name in scorer.renamed.items()},
            "unit": about if is_alone else unit,
            "level_of_unit": holds if is_alone else kind.name,
            "topic": topic,
            "measure": measure.key,
            "method": scorer.method,
            "answered": unit,
            "about": about,
            "holds": holds,
        }


def _tables(
    run: AnalysisRun, measure: Measure, scorer: Scorer
) -> Iterator[tuple[int, pd.DataFrame]]:
    """Yield the stored tables of a measure with the step; one step may compute several measures."""
    results = Result.objects.filter(
        step__run=run, step__analysis=scorer.analysis, step__question__in=["", measure.key],
        missing="",
    )  # fmt: skip
    stored_table = KeyTransform(scorer.table, "data")  # alone: others may be many times as long
    for step, table in results.order_by("step").values_list("step", stored_table):
        yield step, _of(frame_of(table), measure)


def _of(frame: pd.DataFrame, measure: Measure) -> pd.DataFrame:
    return frame[frame["question"] == measure.key] if "question" in frame else frame


def _scored(
    study: Study,
    measure: Measure,
    scorer: Scorer,
    rows: pd.DataFrame,
) -> pd.DataFrame:
    kind = item_kind(measure.kind)
    taken = [*scorer.renamed, *(["topic"] if "topic" in rows else [])]
    frame = rows[taken].rename(columns=scorer.renamed)
    frame["measure"], frame["method"] = measure.key, scorer.method
    frame["holds"], frame["answered"] = kind.subject.holds.value, frame["unit"]
    frame["about"], frame["level_of_unit"] = frame["unit"], frame["holds"]
    if scorer.unit == "item":
        items = frames.items_of(study=study, kind=kind).set_index("item")
        slotless = frame["unit"].astype(str).str.rpartition("/")[0]
        item = frame["unit"].where(frame["unit"].isin(items.index), slotless)  # one of its slots
        frame["about"] = item.map(items[kind.subject.name])
        frame["topic"] = item.map(items["topic"])
        if len(kind.slots) == 1:
            frame["unit"] = frame["about"]
        else:
            frame["level_of_unit"] = kind.name
    return frame[[*SCORES, *SUBJECT]]
