"""Scores of structured summaries: weights of parts, and the lines that are read."""

from collections.abc import Iterator, Sequence

import pandas as pd

from analysis.inputs.summaries import SummarySettings
from analysis.stats.effects.linear_scores import LinearScore
from analysis.stats.summaries.labelled_summaries import (
    LabelledSummary,
    even_weights,
    geometric_stops,
)
from analysis.stats.summaries.user_experience import Weights, most_lines

COMP = "comp"


class Scoring:
    """The weights of parts and the lines that are read."""

    def __init__(
        self, settings: SummarySettings, parts: pd.DataFrame, asked: Sequence[str], covers: bool
    ) -> None:
        self.settings, self.asked, self.covers = settings, asked, covers
        weights = settings.weights
        self.weights = even_weights(asked) if weights is None else Weights(**weights)
        self.most = settings.most_lines
        if settings.minutes is not None:
            lines = parts[parts["kind"] != "section"]
            mean = float(lines["characters"].mean())
            most = most_lines(
                characters_a_line=mean,
                minutes=settings.minutes,
                characters_a_minute=settings.reading_speed,
            )
            self.most = max(1, most)

    def scores(self, summary: LabelledSummary) -> Iterator[tuple[str, LinearScore]]:
        """Yield each score of a summary by its name."""
        is_useful = bool(self.asked) and not summary.lacks(self.weights)
        is_covered = self.covers and bool(summary.sections) and None not in summary.gains
        if is_useful:
            read = summary.reading(self.most)
            yield "xux", (xux := summary.user_experience(self.weights, read))
            yield "xux_f", summary.user_experience(self.weights, summary.reading_sections())
            stops = geometric_stops(len(read), self.settings.stop)
            yield "xux_g", summary.user_experience(self.weights, stops)
        if is_covered:
            yield COMP, (comp := summary.comprehensiveness())
        if is_useful and is_covered:
            yield "sgss", xux.plus(self.settings.comp, comp)

    def is_whole(self, summary: LabelledSummary) -> bool:
        """Return whether the summary has all scores that were asked for."""
        linear_by_name = dict(self.scores(summary))
        return ("xux" in linear_by_name or not self.asked) and (
            COMP in linear_by_name or not self.covers
        )

    def best(self, summary: LabelledSummary) -> tuple[str, LinearScore] | None:
        """Return the most informative score: SGSS, or else the first."""
        linear_by_name = dict(self.scores(summary))
        return next(
            ((n, linear_by_name[n]) for n in ("sgss", "xux", COMP) if n in linear_by_name), None
        )
