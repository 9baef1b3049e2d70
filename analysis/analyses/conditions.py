"""Conditions on a measure under which an analysis applies."""

from analysis.inputs.measures import Does, Measure
from analysis.inputs.scorers import is_scored
from analysis.inputs.summaries import ONLY_OF_SUMMARIES, part_of

# Kinds of items about whole texts.
TEXTS = ("pair", "pair_documents", "block", "response", "response_documents", "conversation")
PAIRS = ("pair", "pair_documents")  # kinds of items that show two texts to compare


def to_votes(measure: Measure) -> bool:
    """Return whether the answers are votes, and not words."""
    return measure.is_counted


def to_options(measure: Measure) -> bool:
    """Return whether answers are one of a few options, and not a number on a range."""
    return measure.is_counted and bool(measure.options)


def to_pairs(measure: Measure) -> bool:
    """Return whether one answer is given on two texts that change places."""
    return to_options(measure) and measure.kind in PAIRS and not measure.per_slot


def to_comparisons(measure: Measure) -> bool:
    """Return whether an answer prefers one of two."""
    return measure.does == Does.COMPARES


def to_scores(measure: Measure) -> bool:
    """Return whether an answer is a number for one thing."""
    return measure.does == Does.SCORES and measure.is_alone


def to_choices(measure: Measure) -> bool:
    """Return whether an answer chooses the best or the worst of several."""
    return measure.does == Does.CHOOSES and is_scored(measure)


def to_labels(measure: Measure) -> bool:
    """Return whether an answer is a label for one thing, with a better label."""
    return measure.does == Does.LABELS and is_scored(measure)


def to_totals(measure: Measure) -> bool:
    """Return whether texts are judged by one of several criteria."""
    if measure.per_slot or not measure.totals or measure.kind not in TEXTS:
        return False
    return to_comparisons(measure) or to_choices(measure) or to_scores(measure)


def to_summaries(measure: Measure) -> bool:
    """Return whether the label is on an overview, heading or section of a summary."""
    return measure.kind in ONLY_OF_SUMMARIES and bool(part_of(measure))
