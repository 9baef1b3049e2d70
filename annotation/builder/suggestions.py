"""What a draft suggests from its planned minutes: the pay, and the least time. Only reads."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext

from annotation.drafts import paths
from annotation.drafts.changes import Change
from annotation.drafts.kinds import kind_of
from annotation.drafts.schema import Document
from annotation.studies.wages import pay_for
from annotation.templatetags.figures import money

MINUTES, SECONDS = "defaults/minutes", "defaults/minimum_seconds"
MOST_MINUTES, MOST_WAGE = 100_000, 10_000_000  # beyond them nothing is suggested


def suggested_pay(document: Document) -> str:
    """What the planned minutes earn at the target wage, which a draft of a card begins with."""
    hired = document.recruitment
    minutes = sum(each["defaults"]["minutes"] for each in document.instruments)
    wage = hired.hourly_wage  # of an older draft it may be any number
    if not (0 < minutes < MOST_MINUTES and wage.is_finite() and 0 < wage < MOST_WAGE):
        return ""
    pay = money(pay_for(minutes=minutes, wage=wage), hired.currency)
    return gettext(
        "A suggestion: {pay} for the {minutes} min that are planned, at the target wage."
    ).format(pay=pay, minutes=minutes)


def following(changes: Iterable[Change], seen: Any) -> list[Change]:
    """What else changes with the planned minutes: the least time keeps the share of them that the
    method gives it, where it has that share now."""
    said = {each.path: each.value for each in changes}
    found = []
    for path, minutes in said.items():
        at, _, what = path.partition("/defaults/")
        if f"defaults/{what}" != MINUTES or not at.startswith("instruments/"):
            continue
        usual = _usual(seen, paths.get(seen, at))
        before, seconds = paths.get(seen, path), paths.get(seen, f"{at}/{SECONDS}")
        if usual is None or f"{at}/{SECONDS}" in said or seconds != round(usual * before):
            continue
        found.append(Change("set", f"{at}/{SECONDS}", round(usual * minutes)))
    return found


def _usual(data: Any, instrument: Any) -> float | None:
    """The seconds for each planned minute, as the method comes; None if it is one's own."""
    kind = kind_of(data["kind"])
    if instrument is paths.MISSING or instrument["name"] not in kind.available():
        return None
    said = kind.load(instrument["name"], data["language"]).defaults  # type: ignore[attr-defined]
    return float(said.minimum_seconds / said.minutes) if said.minutes else None
