"""Questions about the parts of structured summaries, and the measures that they make together."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from analysis.inputs.measures import Does, Measure
from analysis.inputs.settings import PEOPLE
from analysis.stats.summaries.user_experience import CHARACTERS_A_MINUTE, KOREAN

# Kind of item and question -> part of a score (as stats.summaries.user_experience calls it), or
# the coverage of a section by another summary.
COVERAGE = "coverage"
PAIR = "summary_pair"
PARTS = {
    # Version 1 of this instrument (kind `overview`) asked other questions: it has no such part.
    ("overview_sections", "sufficiency"): "os",
    ("overview_sections", "faithfulness"): "of",
    ("overview_sections", "representativeness"): "or_",
    ("heading_statement", "fit"): "hr",
    ("heading_section", "fit"): "hr",  # of the heading itself
    ("heading_statement", "relevance"): "srel",
    ("statement_documents", "support"): "sf",
    ("section_summary", "covered"): COVERAGE,
    # Of both summaries side by side.
    (PAIR, "sufficiency"): "os",
    (PAIR, "faithfulness"): "of",
    (PAIR, "representativeness"): "or_",
    (PAIR, "heading"): "hr",
    (PAIR, "relevance"): "srel",
    (PAIR, "support"): "sf",
    (PAIR, "covered"): COVERAGE,
}
# Kinds of items.
ONLY_OF_SUMMARIES = (
    "overview_sections", "heading_statement", "heading_section", "section_summary",
    PAIR,
)  # fmt: skip
FOUND_BY = "summaries"  # the analysis
# Why votes do not count, after "because they".
LEFT_OUT_VOTE = "are by excluded workers"
AGAIN = "are a rater's further answers to an item (an LLM judge's in the other order)"
COPIED = "are by another account of the same person"
TOO_LATE = "came after the counted votes of their item"
TITLES = {
    "xux": "Expected user experience (XUX)",
    "xux_f": "Expected user experience, stopping after sections (XUX_F)",
    "xux_g": "Expected user experience, stopping with a fixed probability (XUX_G)",
    "comp": "Comprehensiveness (Comp)",
    "sgss": "Structured summary score (SGSS)",
}


def part_of(measure: Measure) -> str:
    """Return the part of a score that the measure labels; "" for none."""
    is_scored = measure.does == Does.SCORES
    return PARTS.get((measure.kind, measure.name), "") if is_scored else ""


def is_part_of_pair(measure: Measure) -> bool:
    """Return whether the measure labels parts of two summaries: units have their scores alone."""
    return measure.kind == PAIR and bool(part_of(measure))


def is_preference(measure: Measure) -> bool:
    """Return whether the measure asks which of two texts is preferred."""
    return (
        measure.does == Does.COMPARES
        and measure.kind in ("pair", PAIR)
        and measure.name == "preference"
    )


def is_comprehensiveness(measure: Measure) -> bool:
    """Return whether the measure labels how comprehensive a whole summary is."""
    is_scored = measure.does == Does.SCORES and measure.kind in ("response", PAIR)
    return is_scored and measure.name == "comprehensiveness"


def is_of_summaries(measure: Measure) -> bool:
    """Return whether the analysis of summaries reads the answers."""
    return bool(part_of(measure)) or is_preference(measure) or is_comprehensiveness(measure)


def of_summaries(measures: Sequence[Measure]) -> list[Measure]:
    """Return the measures that the labels of parts make together, as of responses."""
    parts = {part_of(measure): measure for measure in measures if part_of(measure)}
    if not any(part.kind in ONLY_OF_SUMMARIES for part in parts.values()):
        return []  # statements with what they cite: of any text
    useful = [name for name in ("xux", "xux_f", "xux_g") if set(parts) - {COVERAGE}]
    covered = ["comp"] if COVERAGE in parts else []
    both = ["sgss"] if useful and covered else []
    first = next(iter(parts.values()))
    return [_measure(name, first) for name in (*useful, *covered, *both)]


def key_of(name: str, pool: str) -> str:
    return name if pool == PEOPLE else f"{name}@{pool}"


def _measure(name: str, first: Measure) -> Measure:
    title = TITLES[name] if first.pool == PEOPLE else f"{TITLES[name]} ({first.pool})"
    return replace(
        first,
        key=key_of(name, first.pool),
        title=title,
        text=title,
        name=name,
        kind="response",
        criterion=TITLES[name],
        options=(),
        found_by=FOUND_BY,
    )


@dataclass(frozen=True, kw_only=True)
class SummarySettings:
    """The parameter `summaries` of a run.

    weights: of os, of, or_, hr, srel, sf; by default a line is worth 1 divided among the questions.
    comp: the weight of Comp in SGSS. most_lines: Lmax; minutes: of reading, from which it follows
    by the characters a minute of readers, or those of a language; None: all lines. stop: the
    probability of stopping after a line in XUX_G. ridge, train: of the weights learned from
    preferences.
    """

    weights: dict[str, float] | None = None
    comp: float = 1.0
    most_lines: int | None = None
    minutes: float | None = None
    language: str = KOREAN
    characters_a_minute: float | None = None
    stop: float = 0.1
    ridge: float = 0.0
    train: float = 0.5

    @property
    def reading_speed(self) -> float:
        """Characters a minute."""
        return self.characters_a_minute or CHARACTERS_A_MINUTE[self.language]
