"""Measures as tests of analyses and frames name them."""

from analysis.inputs.measures import Does, Measure, Option, measures_of


def measure(*labels, key="better", does=Does.COMPARES, level="ordinal", kind="pair", **fields):
    """One that compares two unless it is told otherwise."""
    options = tuple(Option(label, label, polarity="best") for label in labels)
    return Measure(
        key=key, title=key, question=1, kind=kind, does=does, level=level, options=options, **fields
    )


def measure_of(study, question="better"):
    """Return the measure of this question."""
    return next(each for each in measures_of(study) if each.key == question)
