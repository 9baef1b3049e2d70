"""Name of an interval by its confidence."""


def interval_name(confidence: float) -> str:
    """Return the name of an interval.

    >>> interval_name(0.95), interval_name(0.999)
    ('95 % interval', '99.9 % interval')
    """
    return f"{percent(confidence)} interval"


def percent(confidence: float) -> str:
    return f"{100 * confidence:.6g} %"
