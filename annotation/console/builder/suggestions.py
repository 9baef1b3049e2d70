"""Suggestions of a draft from its corpus and pages: minutes, minimum time and pay.

They follow what they are made from as long as they stand as suggested; whoever says something else
is told what they would be, and takes it with one press. Only reads.
"""

import re
from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, ngettext

from annotation.models import Draft
from annotation.studies.drafts import paths
from annotation.studies.drafts.changes import DraftChange, do
from annotation.studies.drafts.estimates import TaskWork, least_seconds, suggested_minutes, work_of
from annotation.studies.drafts.kinds import decoded, kind_of
from annotation.studies.drafts.plain_data import BadDocument, plain
from annotation.studies.drafts.schema import Document
from annotation.studies.wages import ESTIMATE_ERROR, pay_for, reading_and_writing
from annotation.texts.number_formats import money

MINUTES, SECONDS, PAY = "defaults/minutes", "defaults/minimum_seconds", "recruitment/pay"
WAGE = "recruitment/hourly_wage"
MOST_MINUTES, MOST_WAGE = 100_000, 10_000_000  # beyond them nothing is suggested
# What changes how much there is to do in a task.
OF_WORK = re.compile(
    r"corpus|design/.*|instruments/[^/]*/"
    r"(defaults|questions|criteria|designer|passages|target_words)(/.*)?"
)


@dataclass(frozen=True)
class Suggestion:
    """A suggested value with its reason, and the label of the button that takes it."""

    value: Any
    sentence: str
    button: str = ""


def suggestions_of(document: Document, *, draft: Draft) -> dict[str, Suggestion]:
    """Return the suggestions by path."""
    work = work_of(document, draft=draft)
    pay = _pay(document, work)
    suggestions = {} if pay is None else {PAY: pay}
    if work is not None and (at := _only(document)):
        data = plain(document)
        stands = document.instruments[0]["defaults"]
        time_suggestions = (
            _writing_time(data, at, stands, work) if work.writing else _time(at, stands, work)
        )
        suggestions |= time_suggestions
    return suggestions


def _only(document: Document) -> str:
    """Return the path of the only method; empty if several share the time."""
    return paths.joined("instruments", *paths.names(document.instruments)) * (
        len(document.instruments) == 1
    )


def _time(at: str, stands: dict[str, Any], work: TaskWork) -> dict[str, Suggestion]:
    answers = round(work.answers)
    sentence = ngettext(
        "Estimate: {minutes} min ± {error}% ({answers} answer, {reading:.0f} min reading).",
        "Estimate: {minutes} min ± {error}% ({answers} answers, {reading:.0f} min reading).",
        answers,
    ).format(
        minutes=work.minutes,
        error=f"{100 * ESTIMATE_ERROR:.0f}",
        reading=work.reading,
        answers=answers,
    )
    least = gettext("A third of the expected time is {seconds} s.").format(
        seconds=work.least_seconds
    )
    take_minutes = gettext("Use {minutes} min").format(minutes=work.minutes)
    take_seconds = gettext("Use {seconds} s").format(seconds=work.least_seconds)
    return {
        f"{at}/{MINUTES}": Suggestion(
            work.minutes, sentence, take_minutes if stands["minutes"] != work.minutes else ""
        ),
        f"{at}/{SECONDS}": Suggestion(
            work.least_seconds,
            least,
            take_seconds if stands["minimum_seconds"] != work.least_seconds else "",
        ),
    }


def _writing_time(
    data: Any, at: str, stands: dict[str, Any], work: TaskWork
) -> dict[str, Suggestion]:
    """Return the suggested minutes alone; writing speed says little about reading."""
    minutes = _suggested(data, at, work)
    reading, writing = reading_and_writing(careful=work.minutes, reading=work.reading)
    sentence = gettext("Estimate: {minutes} min ({reading} reading, {writing} writing).").format(
        minutes=work.minutes, reading=reading, writing=writing
    )
    take = gettext("Use {minutes} min").format(minutes=minutes)
    path = f"{at}/{MINUTES}"
    return {path: Suggestion(minutes, sentence, take if stands["minutes"] < work.minutes else "")}


def _suggested(data: Any, at: str, work: TaskWork) -> int:
    usual = _usual(data, paths.get(data, at))
    return suggested_minutes(work, usual=usual.minutes if usual else 0)


def _pay(document: Document, work: TaskWork | None) -> Suggestion | None:
    """Return the pay of the longer of planned and careful minutes at the target wage."""
    recruitment = document.recruitment
    planned = document.minutes
    minutes = max(planned, work.minutes if work else 0)
    wage = recruitment.hourly_wage  # of an older draft it may be any number
    if not (0 < minutes < MOST_MINUTES and wage.is_finite() and 0 < wage < MOST_WAGE):
        return None
    pay = pay_for(minutes=minutes, wage=wage)
    amount = money(pay, recruitment.currency)
    sentence = gettext("{pay} for {minutes} min meets the target.").format(
        pay=amount, minutes=minutes
    )
    stands = recruitment.pay.is_finite() and recruitment.pay == pay
    return Suggestion(str(pay), sentence, "" if stands else gettext("Use {pay}").format(pay=amount))


def suggested_change(document: Any, path: str, *, draft: Draft) -> DraftChange | None:
    """Return the change that takes the suggestion at a path."""
    suggestion = suggestions_of(decoded(document), draft=draft).get(path)
    return DraftChange("set", path, suggestion.value) if suggestion else None


def following_changes(
    changes: Iterable[DraftChange], seen: Any, *, draft: Draft
) -> list[DraftChange]:
    """Return further changes of untouched values: minutes, least time and pay.

    Minutes follow the work of a task, least time the minutes, pay the minutes and the target wage.
    """
    change_by_path = {change.path: change for change in changes if change.op == "set"}
    new = deepcopy(seen)
    further: list[DraftChange] = []

    def follow(path: str, value: Any) -> None:
        if path not in change_by_path and paths.get(new, path) != value:
            further.append(DraftChange("set", path, value))
            do(new, further[-1])

    try:
        for latest in change_by_path.values():
            do(new, latest)
        before, after = decoded(seen), decoded(new)
    except (BadDocument, paths.NoSuchPlace):
        return []  # what is wrong is said when it is saved
    at, of_work = (
        _only(before),
        [p for p in change_by_path if OF_WORK.fullmatch(p) and not _is_time(p)],
    )
    if of_work and at and at == _only(after):
        now = work_of(after, draft=draft)
        if now and _is_unsaid(seen, at, work_of(before, draft=draft)):
            follow(f"{at}/{MINUTES}", _suggested(new, at, now))
    for path in [
        p
        for p in [*change_by_path, *(suggested.path for suggested in further)]
        if p.endswith(f"/{MINUTES}")
    ]:
        least = _least(seen, new, path.removesuffix(f"/{MINUTES}"))
        if least is not None:
            follow(path.removesuffix(MINUTES) + SECONDS, least)
    if further or WAGE in change_by_path or any(map(_is_time, change_by_path)):
        _follow_pay(follow, before, decoded(new), draft)
    return further


def _is_time(path: str) -> bool:
    return path.endswith((f"/{MINUTES}", f"/{SECONDS}"))


def _is_unsaid(seen: Any, at: str, was: TaskWork | None) -> bool:
    """Return whether the minutes are still the suggested ones, or those of the method."""
    minutes = paths.get(seen, f"{at}/{MINUTES}")
    if was is not None:
        return bool(minutes == _suggested(seen, at, was))
    usual = _usual(seen, paths.get(seen, at))
    return usual is not None and minutes == usual.minutes


def _least(seen: Any, new: Any, at: str) -> int | None:
    """Return the least time at the same share of new minutes, if it was a default."""
    before: int = paths.get(seen, f"{at}/{MINUTES}")
    after: int = paths.get(new, f"{at}/{MINUTES}")
    seconds = paths.get(seen, f"{at}/{SECONDS}")
    if paths.MISSING in (before, after, seconds):
        return None
    if seconds == least_seconds(before):
        return least_seconds(after)
    usual = _usual(seen, paths.get(seen, at))
    share: float | None = usual.minimum_seconds / usual.minutes if usual and usual.minutes else None
    if share is None or seconds != round(share * before):
        return None
    return round(share * after)


def _usual(data: Any, instrument: Any) -> Any:
    """Return the default figures of a built-in method, or None."""
    kind = kind_of(data["kind"])
    if instrument is paths.MISSING or instrument["name"] not in kind.available():
        return None
    return kind.load(instrument["name"], data["language"]).defaults  # type: ignore[attr-defined]


def _follow_pay(
    follow: Callable[[str, Any], None], before: Document, after: Document, draft: Draft
) -> None:
    was = _pay(before, work_of(before, draft=draft))
    now = _pay(after, work_of(after, draft=draft))
    if was and now and not was.button:  # it stands as it was suggested
        follow(PAY, now.value)
