"""Conditions on a measure: to which ones an analysis applies."""

from analysis.inputs.measures import Does, Measure
from analysis.inputs.scores import is_scored
from analysis.inputs.summaries import ONLY_OF_SUMMARIES, part_of

TEXTS = ("pair", "pair_documents", "block", "response")  # kinds of items about whole texts
PAIRS = ("pair", "pair_documents")  # kinds of items that show two texts to compare


def to_votes(measure: Measure) -> bool:
    """Whatever is counted, and not told in words."""
    return measure.is_counted


def to_options(measure: Measure) -> bool:
    """What is answered by one of a few options, and not by a number on a range."""
    return measure.is_counted and bool(measure.options)


def to_pairs(measure: Measure) -> bool:
    """One answer on two texts that change places, whatever it says of them."""
    return to_options(measure) and measure.kind in PAIRS and not measure.per_slot


def to_comparisons(measure: Measure) -> bool:
    """An answer that says which of two is better."""
    return measure.does == Does.COMPARES


def to_scores(measure: Measure) -> bool:
    """A number for one thing."""
    return measure.does == Does.SCORES and measure.is_alone


def to_choices(measure: Measure) -> bool:
    """What is the best of several, or the worst."""
    return measure.does == Does.CHOOSES and is_scored(measure)


def to_labels(measure: Measure) -> bool:
    """A label for one thing, where one label is the better."""
    return measure.does == Does.LABELS and is_scored(measure)


def to_totals(measure: Measure) -> bool:
    """Texts by one of several criteria: which of two, the best of several, or a number."""
    if measure.per_slot or not measure.totals or measure.kind not in TEXTS:
        return False
    return to_comparisons(measure) or to_choices(measure) or to_scores(measure)


def to_summaries(measure: Measure) -> bool:
    """A label of what only structured summaries have: an overview, a heading, a section."""
    return measure.kind in ONLY_OF_SUMMARIES and bool(part_of(measure))
