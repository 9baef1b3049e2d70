"""Results of a run, read from its stored tables. Only reads."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd
from django.db.models import Func, JSONField
from django.db.models.fields.json import KeyTransform

from analysis.inputs.analysis_input import frame_of
from analysis.inputs.measures import measures_of
from analysis.inputs.settings import PEOPLE
from analysis.models import AnalysisRun, AnalysisStep, Result
from annotation.models import Assignment
from judging.models import Rater


class _Keys(Func):
    """Keys of a JSON object in its order, without the values, which may be large."""

    output_field = JSONField()
    template = "(SELECT jsonb_agg(name) FROM jsonb_object_keys(%(expressions)s) AS name)"

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        template = "(SELECT json_group_array(key) FROM json_each(%(expressions)s))"
        return self.as_sql(compiler, connection, template=template, **context)


def tables(
    run: AnalysisRun, analysis: str, name: str, *, questions: Sequence[str] | None = None
) -> pd.DataFrame:
    """Return a table of an analysis, of all measures together, in the order of the questions.

    The frame is empty where no step could compute it (see `missing`), or the run has no such table.
    Other tables of the analysis, which may be large, are not read. `questions` are the keys of the
    measures in their order, if they are known already.
    """
    return several_tables(run, analysis, [name], questions=questions)[name]


def several_tables(
    run: AnalysisRun, analysis: str, names: Sequence[str], *, questions: Sequence[str] | None = None
) -> dict[str, pd.DataFrame]:
    """Return several tables of an analysis by name, in one query."""
    results = Result.objects.filter(step__run=run, step__analysis=analysis, missing="")
    columns = [KeyTransform(name, "data") for name in names]
    rows = list(results.order_by("step__part").values_list("step__question", *columns))
    order = {key: n for n, key in enumerate(questions or measure_keys(run))} if rows else {}
    return {
        name: _together(run, [(row[0], row[at]) for row in rows], order)
        for at, name in enumerate(names, start=1)
    }


def _together(
    run: AnalysisRun, stored: Sequence[tuple[str, Any]], order: Mapping[str, int]
) -> pd.DataFrame:
    """Return one table of the stored ones: (question, table or None)."""
    ordered_frames = []
    for question, data in stored:
        if data is None:
            continue
        frame = frame_of(data)
        if "question" not in frame:
            frame.insert(0, "question", question)
        ordered_frames.append((order.get(question, 0), frame))
    ordered_frames.sort(key=lambda pair: pair[0])
    frames = [frame for _, frame in ordered_frames if len(frame)]
    if not frames:
        return ordered_frames[0][1] if ordered_frames else pd.DataFrame()
    return _without_withdrawn(run, pd.concat(frames, ignore_index=True))


def _without_withdrawn(run: AnalysisRun, frame: pd.DataFrame) -> pd.DataFrame:
    """Remove the rows of raters who withdrew after the run, or were rejected."""
    names = [name for name in ("worker", "other_worker") if name in frame]
    if not names:
        return frame
    people = people_of(run)
    return frame[frame[names].isin(people).all(axis=1)].reset_index(drop=True)


def people_of(run: AnalysisRun) -> set[str]:
    """Return the raters whose work counts now."""
    counting = Assignment.objects.counting().filter(study=run.study_id)
    people = set(counting.values_list("worker__pseudonym", flat=True))
    if run.pool != PEOPLE:
        people |= set(Rater.objects.filter(worker=None).values_list("pseudonym", flat=True))
    return people


def names(run: AnalysisRun, analysis: str) -> list[str]:
    """Return the names of the tables that an analysis has stored in a run, in its own order."""
    results = Result.objects.filter(step__run=run, step__analysis=analysis, missing="")
    first: list[str] | None = results.order_by("step").values_list(_Keys("data"), flat=True).first()
    return first or []


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return rows as dictionaries; missing values are None."""
    names = frame.columns.tolist()  # pandas would look each name up again for each row
    return [dict(zip(names, row, strict=True)) for row in plain_rows(frame)]


def plain_rows(frame: pd.DataFrame) -> Iterator[tuple[Any, ...]]:
    """Return rows as tuples; missing values are None."""
    columns = [
        [None if missing else value for value, missing in zip(column, gaps, strict=True)]
        if any(gaps)
        else column
        for column, gaps in (
            (frame[name].tolist(), frame[name].isna().tolist()) for name in frame.columns
        )
    ]
    return zip(*columns, strict=True)


def measure_keys(run: AnalysisRun) -> list[str]:
    return [measure.key for measure in measures_of(run.study, pool=run.pool)]


def missing(run: AnalysisRun) -> list[tuple[str, str, str]]:
    """Return (analysis, question, sentence) of all that could not be computed.

    Remarks on questions that no analysis reads have no analysis.
    """
    remarks = [("", "", sentence) for sentence in run.remarks]
    return remarks + list(
        Result.objects.filter(step__run=run)
        .exclude(missing="")
        .order_by("step")
        .values_list("step__analysis", "step__question", "missing")
    )


def errors(run: AnalysisRun) -> list[str]:
    """Return the errors of a failed run, each once."""
    failed = run.steps.filter(state=AnalysisStep.State.FAILED)
    return list(dict.fromkeys(failed.values_list("error", flat=True)))
