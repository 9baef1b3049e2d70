"""Input of an analysis, and its answer: tables, ready for JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from analysis.inputs.machine_calls import JudgeData
from analysis.inputs.measures import Measure
from analysis.inputs.settings import COMPAT, DEFAULTS, confidence_of, is_sequential
from analysis.stats.bradley_terry.mixed_newton import Components
from analysis.stats.resampling import Bootstrap

Table = dict[str, Any]  # {"columns": [...], "rows": [[...]]}
Tables = dict[str, Table]


@dataclass(frozen=True)
class AnalysisInput:
    """Input of an analysis: the frame that it reads, its measures, and the settings.

    responses: one row for each response (response, topic, style, origin, system), beside scores or
    votes on them. votes: the votes behind the scores, of all measures; speakers: the responses they
    speak for (scores.speakers). texts: the texts beside the scores; components: of the mixed model
    of the votes on texts, where the run has fitted it; passages: those of their topics
    (text_frames). parts: the parts of structured summaries; copies: the degraded ones
    (summary_frames); models: labels of these parts by models, without
    models_again, the number of those in the second order. rankings: the rank of each passage by
    system (text_frames), beside votes on passages. orders: scores of systems by official orders,
    beside boards. judged: judgments of passages (judged_passages), beside grades on entries.
    beside: people, beside the votes of models (machine_calls). abstained: answers such as “don't
    know”, beside the votes on responses. machines: the votes of models on the measure, where a run
    has them among annotators. names: the names of systems by key, for sentences. method_work: the
    work of each method (method_work); arms_left: participants who agreed and who left, by arm.
    """

    frame: pd.DataFrame
    measures: Sequence[Measure]
    parameters: dict[str, Any]
    seed: int
    responses: pd.DataFrame | None = None
    votes: pd.DataFrame | None = None
    speakers: pd.DataFrame | None = None
    texts: pd.DataFrame | None = None
    components: Components | None = None
    passages: pd.DataFrame | None = None
    parts: pd.DataFrame | None = None
    copies: pd.DataFrame | None = None
    models: pd.DataFrame | None = None
    models_again: int = 0
    rankings: pd.DataFrame | None = None
    orders: pd.DataFrame | None = None
    judged: pd.DataFrame | None = None
    beside: JudgeData | None = None
    abstained: pd.DataFrame | None = None
    machines: pd.DataFrame | None = None
    method_work: pd.DataFrame | None = None
    arms_left: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def measure(self) -> Measure:
        """The only measure that it reads."""
        (measure,) = self.measures
        return measure

    @property
    def options(self) -> tuple[str, ...]:
        """The canonical labels of the measure, in the order of its scale."""
        return self.measure.labels

    @property
    def options_of(self) -> dict[str, tuple[str, ...]]:
        """The canonical labels by the key of each measure."""
        return {measure.key: measure.labels for measure in self.measures}

    @property
    def counted(self) -> pd.DataFrame:
        """The counted votes of a frame of votes."""
        counted = self.frame["counted"]
        return self.frame.copy(deep=False) if counted.all() else self.frame[counted]

    def setting(self, name: str) -> Any:
        """Return a parameter, or its default."""
        return self.parameters.get(name, DEFAULTS[name])

    @property
    def as_published(self) -> bool:
        """True if the run follows the pipeline of the corpus's paper, with its intervals."""
        return bool(self.setting("compat") == COMPAT)

    @property
    def draws(self) -> int:
        """The number of bootstrap draws."""
        return int(self.setting("draws"))

    @property
    def confidence(self) -> float:
        return confidence_of(self.parameters)

    @property
    def sequential(self) -> bool:
        """True if the study was open: intervals must hold at every look (stats.sequential)."""
        return is_sequential(self.parameters)

    @property
    def bootstrap(self) -> Bootstrap:
        """The settings of bootstrap intervals."""
        return Bootstrap(draws=self.draws, confidence=self.confidence, seed=self.seed)


NO_WIDTH = 1e-9  # of the size of its ends: what the rounding of sums leaves
RANKS = ("grade", "place", "rank")  # an interval of these may hold one of them alone


def table(frame: pd.DataFrame) -> Table:
    """Return a frame as columns and rows of plain values; NaN becomes None.

    An interval of no width is left out, because it would claim certainty: no draw of a bootstrap,
    and no unit, differed from the others.
    """
    frame = without_flat_intervals(frame)
    cells = frame.to_numpy(dtype=object, copy=True)
    cells[frame.isna().to_numpy(dtype=bool)] = None
    return {"columns": list(frame.columns), "rows": cells.tolist()}


def without_flat_intervals(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame without the ends of intervals that have no width."""
    names = [str(name) for name in frame.columns]
    for name in names:
        stem = name.removesuffix("low")
        other = f"{stem}high"
        if not name.endswith("low") or other not in names or stem.rstrip("_") in RANKS:
            continue
        ends = [pd.to_numeric(frame[end], errors="coerce") for end in (name, other)]
        size = ends[0].abs().clip(lower=1.0)
        flat = (ends[1] - ends[0]).abs() <= NO_WIDTH * size
        if flat.any():
            frame = frame.assign(**{end: frame[end].mask(flat) for end in (name, other)})
    return frame


def table_of(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Table:
    return table(pd.DataFrame(rows, columns=list(columns)))


def frame_of(table: Table) -> pd.DataFrame:
    """Return the frame of a stored table."""
    return pd.DataFrame(table["rows"], columns=table["columns"])
