"""The ready set of criteria of Popp et al.: two heads, each with four of its own. Pure."""

from collections.abc import Sequence

from analysis.inputs.measures import Measure

HEADS = {
    "honesty": ("honesty", "correctness", "completeness", "no_invention", "openness"),
    "comprehensibility": ("comprehensibility", "fluency", "no_repetition", "clarity", "order"),
}
TOTAL = "total"
# Instruments that ask about texts by several criteria in the same way.
INSTRUMENTS = (
    "direct-quality", "quality-agreement", "ab-comparison", "best-worst-two", "answer-quality",
)  # fmt: skip


def criterion_of(measure: Measure) -> str:
    """The key of the question without what it asks for: best and worst are of one criterion."""
    name = measure.name
    for ending in ("_best", "_worst"):
        if measure.polarity == ending[1:]:
            name = name.removesuffix(ending)
    return name


def in_a_set(measure: Measure) -> bool:
    """Whether it asks by one of several criteria that add up."""
    return measure.instrument in INSTRUMENTS


def scales_of(criteria: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The scales, a head with its own criteria, of which all are there."""
    return {
        f"scale_{head}": names
        for head, names in HEADS.items()
        if all(name in criteria for name in names)
    }
