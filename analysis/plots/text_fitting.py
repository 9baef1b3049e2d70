"""Estimated width of text, wrapping and eliding.

The server has no font: widths are estimates on the safe side for Inter and system fonts, in
viewBox units. Text that does not fit is wrapped or ends in "…"; the caller adds the full text as
a <title>.
"""

import unicodedata
from collections.abc import Iterable, Sequence

from analysis.plots.markup import plain

SIZE = 13.0  # of labels, in viewBox units
SMALL = 12.0  # of ticks and notes
LINE = 17.0  # from one line of text to the next
SMALL_SHARE = 0.002  # of the largest of three numbers: less is written as 0

_NARROW = frozenset("iljtfrI.,:;'|!()[]{}` ")
_FIGURES = frozenset("−–±×")
_BROAD = frozenset("mwMWOQGD@%—&…")


def extent(text: str, size: float = SIZE) -> float:
    """Return the estimated width of a line of text."""
    return size * sum(_share(sign) for sign in text)


def _share(sign: str) -> float:
    if sign in _NARROW:
        return 0.36
    if sign in _BROAD:
        return 0.95
    if unicodedata.combining(sign):
        return 0.0
    if unicodedata.east_asian_width(sign) in "WF":
        return 1.1
    if sign in _FIGURES:
        return 0.65
    if sign.isascii():
        return 0.7 if sign.isupper() else 0.61
    return 0.75


def elide(text: object, room: float, size: float = SIZE) -> str:
    """Return the text, or as much of it as fits before an ellipsis; "" where not even that fits."""
    line = plain(text)
    if extent(line, size) <= room:
        return line
    room -= extent("…", size)
    if room < 0:
        return ""
    return line[: _fitting(line, room, size)].rstrip() + "…"


def _fitting(line: str, room: float, size: float) -> int:
    """Return the number of fitting signs from the start; a letter keeps its accents."""
    count, used = 0, 0.0
    for sign in line:
        used += size * _share(sign)
        if used > room:
            break
        count += 1
    while count and unicodedata.combining(line[count : count + 1] or " "):
        count -= 1
    return count


def distinct(labels: Iterable[str], room: float, size: float = SIZE) -> dict[str, str]:
    """Return each label as it fits; where two would look the same, the middle is left out."""
    short = {label: elide(label, room, size) for label in labels}
    if len(set(short.values())) == len(short):
        return short
    half = (room - extent("…", size)) / 2
    return {label: _without_middle(plain(label), room, half, size) for label in short}


def _without_middle(line: str, room: float, half: float, size: float) -> str:
    if extent(line, size) <= room or half <= 0:
        return elide(line, room, size)
    end, used = len(line), 0.0
    while end and used + size * _share(line[end - 1]) <= half:
        end -= 1
        used += size * _share(line[end])
    while end < len(line) and unicodedata.combining(line[end]):
        end += 1
    return f"{line[: _fitting(line, half, size)].rstrip()}…{line[end:].lstrip()}"


def wrap(text: object, room: float, *, lines: int = 2, size: float = SIZE) -> list[str]:
    """Return the text in at most `lines` lines; the last one is elided."""
    wrapped: list[str] = []
    rest = plain(text).split()
    while rest and len(wrapped) < lines - 1:
        line = rest.pop(0)
        while rest and extent(f"{line} {rest[0]}", size) <= room:
            line = f"{line} {rest.pop(0)}"
        if extent(line, size) > room:
            rest.insert(0, line)
            break
        wrapped.append(line)
    return [*wrapped, elide(" ".join(rest), room, size)] if rest else wrapped


def number(value: float, digits: int = 2) -> str:
    """Return a number as text: fixed decimals, or three figures where those would mislead."""
    if value and (abs(value) >= 1e6 or abs(value) < 0.5 * 10**-digits):
        return f"{value:.3g}".replace("-", "−")
    text = f"{value:,.{digits}f}"
    return "0" + text[2:] if float(value) == 0 and text.startswith("-0") else text.replace("-", "−")


def probability(value: float, digits: int = 2) -> str:
    """Return a probability as text, never as 0 or 1.

    >>> probability(0.999), probability(2e-6), probability(0.5)
    ('>0.99', '<0.01', '0.50')
    """
    least = 10.0**-digits
    if round(value, digits) >= 1:
        return f">{number(1 - least, digits)}"
    return f"<{number(least, digits)}" if round(value, digits) <= 0 else number(value, digits)


def interval(value: float, low: float | None, high: float | None, digits: int = 2) -> str:
    """Return `0.19 [0.17, 0.21]`, or the value alone."""
    if low is None or high is None:
        return number(value, digits)
    three = (value, low, high)
    places = _places(three, digits)
    if places is None:
        written = [number(value_shown, digits) for value_shown in three]
    else:  # what rounds to zero has no sign
        written = [number(round(value_shown, places), places) for value_shown in three]
    return f"{written[0]} [{written[1]}, {written[2]}]"


def _places(values: Sequence[float], digits: int) -> int | None:
    """Return common decimals by which only 0 is written as 0, up to two more than `digits`.

    A number that is small beside the others needs none of its own. None where no decimals do, as
    for very large and very small numbers.
    """
    largest = max(map(abs, values))
    sizes = [abs(value) for value in values if abs(value) > SMALL_SHARE * largest]
    if not sizes or largest >= 1e6:
        return None
    for places in range(digits, digits + 3):
        if min(sizes) >= 0.5 * 10**-places:
            return places
    return digits if max(sizes) >= 0.5 * 10**-digits else None


def interval_name(confidence: float) -> str:
    """Return the name of an interval.

    >>> interval_name(0.95), interval_name(0.999)
    ('95% CI', '99.9% CI')
    """
    return f"{percent(confidence)} CI"


def percent(confidence: float) -> str:
    return f"{100 * confidence:.6g}%"
