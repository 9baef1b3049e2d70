"""SGSS: the scores of a summary from raters' labels of its parts, with intervals over raters.

The measures of `user_experience` are linear in the labels, and Comp nearly so: their intervals are
those of effects.linear_scores.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from analysis.stats.arrays import Floats
from analysis.stats.effects.linear_scores import Label, LinearScore, mean_of
from analysis.stats.errors import BadSetting
from analysis.stats.summaries.comprehensiveness import comprehensiveness
from analysis.stats.summaries.user_experience import PARTS, Weights

STEP = 1e-5  # of a gradient
PER_LINE = {"overview": ("os", "of", "or_"), "heading": ("hr",), "statement": ("srel", "sf")}


def even_weights(asked: Sequence[str]) -> Weights:
    """Return weights that make a line worth at most 1, divided equally among the asked parts."""
    weights = dict.fromkeys((part for parts in PER_LINE.values() for part in parts), 0.0)
    for parts in PER_LINE.values():
        mine = [part for part in parts if part in asked]
        weights |= dict.fromkeys(mine, 1 / len(mine)) if mine else {}
    return Weights(**weights)


def geometric_stops(lines: int, stop: float) -> Floats:
    """Return the probability of stopping after each line, equal at each. Raises BadSetting."""
    if not 0 <= stop <= 1:
        raise BadSetting("stop", stop, "0 to 1")
    stops = stop * (1 - stop) ** np.arange(lines)
    stops[-1] += 1 - stops.sum()
    return np.asarray(stops)


def top_heaviness(read: Floats) -> Floats:
    """Return the weight (L,) of a gain on each line in a measure that reads X(l) by `read`."""
    return np.cumsum((read / np.arange(1, len(read) + 1))[::-1])[::-1]


@dataclass(frozen=True)
class LabelledSection:
    """The labels of each statement (J,): relevance to the heading, relevance, faithfulness.

    heading_itself (1,): where the heading was judged by itself (4.1 of the paper, not 3.2.2); it
    replaces `heading` then.
    """

    key: str
    heading: Sequence[Label]
    relevance: Sequence[Label]
    faithfulness: Sequence[Label]
    heading_itself: Sequence[Label] = ()


@dataclass(frozen=True)
class LabelledSummary:
    """Labels of a summary.

    overview: of os, of, or_. covered: section of another summary -> labels of its coverage here;
    `every` are the keys of all sections on the topic, to which Comp refers.
    """

    key: str
    topic: str
    overview: Mapping[str, Label]
    sections: Sequence[LabelledSection]
    covered: Mapping[str, Label]
    every: Sequence[str]
    overview_first: bool = True

    @property
    def lines(self) -> list[dict[str, Sequence[Label]]]:
        """Labels of each line; the mean over those of a heading counts."""
        overview: dict[str, Sequence[Label]] = {p: [v] for p, v in self.overview.items()}
        labels_by_line: list[dict[str, Sequence[Label]]] = []
        for section in self.sections:
            labels_by_line.append({"hr": section.heading_itself or section.heading})
            statements = zip(section.relevance, section.faithfulness, strict=True)
            labels_by_line += [
                {"srel": [relevance], "sf": [faithful]} for relevance, faithful in statements
            ]
        return [overview, *labels_by_line] if self.overview_first else [*labels_by_line, overview]

    def lacks(self, weights: Weights) -> int:
        """Return the number of missing labels of parts that have a weight."""
        labels = (
            label
            for line in self.lines
            for part, of_part in line.items()
            if getattr(weights, part)
            for label in of_part
        )
        return sum(label is None for label in labels)

    @property
    def gains(self) -> list[Label]:
        """Labels of each section on the topic; its own ones are covered."""
        own_keys = {section.key for section in self.sections}
        return [1.0 if key in own_keys else self.covered.get(key) for key in self.every]

    def reading(self, most: int | None = None) -> Floats:
        """Return the weight of X(l) in XUX, (L,): the first lines alike."""
        size = len(self.lines)
        read = np.arange(size) < (size if most is None else most)
        return np.asarray(read / max(1, read.sum()))

    def reading_sections(self) -> Floats:
        """Return the weight of X(l) in XUX_F: the last lines of overview and sections alike."""
        sizes = [1 + len(section.heading) for section in self.sections]
        ends = np.cumsum([1, *sizes] if self.overview_first else [*sizes, 1]) - 1
        read = np.zeros(len(self.lines))
        read[ends] = 1 / len(ends)
        return read

    def user_experience(self, weights: Weights, read: Floats) -> LinearScore:
        """Return read . X. Raises BadSetting for a missing label of a part with a weight."""
        score = LinearScore()
        for heavy, line in zip(top_heaviness(read), self.lines, strict=True):
            for part, labels in line.items():
                w = getattr(weights, part) * heavy / len(labels)
                for label in labels if w else ():
                    score.add(w, label)
        return score

    def parts(self, most: int | None = None) -> Floats:
        """Return phi (6,): contributions of PARTS to XUX at weight 1, 0 if unlabelled."""
        nothing = dict.fromkeys(PARTS, 0.0)
        alone = [Weights(**(nothing | {part: 1.0})) for part in PARTS]
        return np.array(
            [self.user_experience(weights, self.reading(most)).value() for weights in alone]
        )

    def comprehensiveness(self) -> LinearScore:
        """Return Comp linearised at the means of the labels.

        Raises BadSetting where a label is missing, CannotCompute (no_sections_covered).
        """
        gains = self.gains
        means = np.array([_mean_of(label) for label in gains])
        value = comprehensiveness(list(means))
        score = LinearScore(value)
        for k, label in enumerate(gains):
            if not isinstance(label, float | int):
                step = -STEP if means[k] > 0.5 else STEP
                moved = [*means[:k], means[k] + step, *means[k + 1 :]]
                slope = (comprehensiveness(moved) - value) / step
                score.add(slope, label)
                score.constant -= slope * means[k]
        return score

    def without_headings(self) -> "LabelledSummary":
        """Return a degraded copy: headings stay as lines that fit nothing."""
        bare = [
            replace(section, heading=[0.0] * len(section.heading), heading_itself=())
            for section in self.sections
        ]
        return replace(self, sections=bare)

    def without_first_section(self) -> "LabelledSummary":
        """Return a degraded copy with uncovered first section. Raises BadSetting without one."""
        if not self.sections:
            raise BadSetting("sections", 0, "1 or more")
        first, *rest = self.sections
        return replace(self, sections=rest, covered={**self.covered, first.key: 0.0})

    @property
    def has_relevant_start(self) -> bool:
        """Relevance, to any degree, of some statement of the first section."""
        labels = self.sections[0].relevance if self.sections else ()
        return any(_mean_of(label) > 0 for label in labels)


def _mean_of(label: Label) -> float:
    if label is None:
        raise BadSetting("a label", None, "there for each part that was asked about")
    return float(label) if isinstance(label, float | int) else mean_of(label)
