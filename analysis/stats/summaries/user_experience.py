"""SGSS: the expected user experience (XUX) of a structured summary, line by line.

Sakai et al. 2026, sections 3.1 to 3.3 (XUX, XUX_F, XUX_G). A summary is an overview and I sections,
each a heading and J_i > 0 statements: L = 1 + I + sum J_i lines. X'(l) adds up the worth of the
lines up to l: OQ of the overview, and the weighted heading representativeness (HR), statement
relevance (SRel) and statement faithfulness (SF) of each section line; X(l) = X'(l) / l.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from analysis.stats.arrays import Floats
from analysis.stats.errors import BadSetting, CannotCompute

# Characters that a reader takes in: Rhiu et al. (2017) for Korean, as Sakai et al. have it; else
# Trauzettel-Klosinski and Dietz (2012), 17 languages read aloud, 863 +- 234 on average.
CHARACTERS_A_MINUTE = {
    "ko": 500.0, "ar": 612.0, "zh": 255.0, "nl": 978.0, "en": 987.0, "fi": 1078.0, "fr": 998.0,
    "de": 920.0, "he": 833.0, "it": 950.0, "ja": 357.0, "pl": 916.0, "pt": 913.0, "ru": 986.0,
    "sl": 885.0, "es": 1025.0, "sv": 917.0, "tr": 1054.0,
}  # fmt: skip
KOREAN = "ko"


@dataclass(frozen=True, kw_only=True)
class Weights:
    """Weights of the six parts.

    os, of, or_: sufficiency, faithfulness and representativeness of the overview; hr: heading
    representativeness; srel, sf: statement relevance and faithfulness. X(l) stays within 1 only if
    os + of + or <= 1, hr <= 1 and srel + sf <= 1.
    """

    os: float = 1.0
    of: float = 1.0
    or_: float = 1.0
    hr: float = 1.0
    srel: float = 1.0
    sf: float = 1.0


@dataclass(frozen=True)
class RatedSection:
    """Relevance and faithfulness (J,) of each statement, in [0, 1], also to the heading (J,).

    A heading that was deleted stays a line that fits nothing (`heading` of zeros).
    """

    relevance: Sequence[float]
    faithfulness: Sequence[float]
    heading: Sequence[float]

    @property
    def heading_representativeness(self) -> float:
        """HR, the mean over the statements."""
        return float(np.mean(self.heading))


@dataclass(frozen=True)
class RatedSummary:
    """Sufficiency, faithfulness and representativeness of the overview, in [0, 1], and sections.

    The overview is the first line, or the last. Raises BadSetting for a section without statements.
    """

    sufficiency: float
    faithfulness: float
    representativeness: float
    sections: Sequence[RatedSection] = field(default_factory=tuple)
    overview_first: bool = True

    def __post_init__(self) -> None:
        for section in self.sections:
            sizes = {len(section.relevance), len(section.faithfulness), len(section.heading)}
            if len(sizes) != 1 or 0 in sizes:
                raise BadSetting("a section", sorted(sizes), "equally many labels, 1 or more each")

    def gains(self, weights: Weights) -> Floats:
        """Return the addition of each line to X', (L,)."""
        overview = (
            weights.os * self.sufficiency
            + weights.of * self.faithfulness
            + weights.or_ * self.representativeness
        )
        lines = [line for section in self.sections for line in _lines(section, weights)]
        return np.array([overview, *lines] if self.overview_first else [*lines, overview])

    @property
    def section_ends(self) -> list[int]:
        """Number of the last line of the overview, and of each section."""
        sizes = [1 + len(section.relevance) for section in self.sections]
        sizes = [1, *sizes] if self.overview_first else [*sizes, 1]
        return list(np.cumsum(sizes))


def _lines(section: RatedSection, weights: Weights) -> list[float]:
    statements = zip(section.relevance, section.faithfulness, strict=True)
    return [
        weights.hr * section.heading_representativeness,
        *(weights.srel * relevance + weights.sf * faithful for relevance, faithful in statements),
    ]


def mean_gains(summary: RatedSummary, weights: Weights) -> Floats:
    """Return X(l) = X'(l) / l of each line, (L,)."""
    gains = summary.gains(weights)
    return np.asarray(np.cumsum(gains) / np.arange(1, len(gains) + 1))


def xux(summary: RatedSummary, weights: Weights, *, most_lines: int | None = None) -> float:
    """Return XUX: the mean of X(l) over the first L' = min(L, most_lines) lines."""
    read = mean_gains(summary, weights)[:most_lines]
    if not len(read):
        raise CannotCompute("no_lines_read", "XUX cannot be computed because no lines are read.")
    return float(read.mean())


def xux_by_section(summary: RatedSummary, weights: Weights) -> float:
    """Return XUX_F: readers stop at the end of a part, each with the same probability."""
    read = mean_gains(summary, weights)
    return float(read[np.array(summary.section_ends) - 1].mean())


PARTS = ("os", "of", "or_", "hr", "srel", "sf")


def most_lines(
    *,
    characters_a_line: float,
    minutes: float = 1.0,
    characters_a_minute: float = CHARACTERS_A_MINUTE[KOREAN],
) -> int:
    """Return Lmax, the number of lines that a reader gets through. Raises BadSetting."""
    if characters_a_line <= 0 or minutes <= 0:
        raise BadSetting("characters_a_line and minutes", (characters_a_line, minutes), "above 0")
    return int(characters_a_minute * minutes / characters_a_line)
