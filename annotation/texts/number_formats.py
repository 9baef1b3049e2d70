"""Figures for people: spans of time, money, shares. Files and programs have other ones."""

from decimal import Decimal

from django.utils.formats import number_format

MINUS = "−"  # U+2212, as wide as a plus


def with_minus(figures: str) -> str:
    """Figures as they are written down, for people; what is rounded to nothing has no sign."""
    if not figures.startswith("-"):
        return figures
    return MINUS + figures[1:] if any(figure in "123456789" for figure in figures) else figures[1:]


def span(seconds: float | None) -> str:
    """Seconds as a person says them: 45 s, 12 min, 1 h 5 min; a dash where there are none."""
    if seconds is None:
        return "–"
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, rest_minutes = divmod(minutes, 60)
    return f"{hours} h {rest_minutes} min" if rest_minutes else f"{hours} h"


def span_exactly(seconds: int) -> str:
    """Return a duration without rounding: 45 s, 9 min 20 s, 12 min."""
    minutes, rest_seconds = divmod(seconds, 60)
    if not minutes or not rest_seconds:
        return span(seconds)
    return f"{span(60 * minutes)} {rest_seconds} s"


def minutes(number: float | None) -> str:
    """Minutes as a person says them."""
    return span(None if number is None else 60 * number)


def inside(title: str) -> str:
    """Return a title for use within a sentence: the first letter in lower case."""
    return title[:1].lower() + title[1:]


def clock(ms: int) -> str:
    """Return a time of a recording: 754321 ms is 12:34."""
    minutes, seconds = divmod(ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def figure(number: float) -> str:
    """Any number, with three digits that count: 0.02, 12.5, 1,141."""
    if abs(number) < 100:
        return with_minus(f"{number:.3g}")
    return with_minus(number_format(f"{number:.0f}", 0, use_l10n=True, force_grouping=True))


def money(amount: Decimal | float | None, currency: str) -> str:
    """Return an amount with its currency, such as 3.00 USD, or a dash."""
    if amount is None:
        return "–"
    rounded = f"{amount:.2f}"  # number_format would cut off: 11.999… is 12.00
    grouped = with_minus(number_format(rounded, 2, use_l10n=True, force_grouping=True))
    return f"{grouped} {currency}"


def percentage(share: float, digits: int = 0) -> str:
    """Return a share in percent; a possible event is never 0 or 100."""
    if not digits and share < 0.005:
        return "under 1%"
    if not digits and share >= 0.995:
        return "over 99%"
    return f"{100 * share:.{digits}f}%"
