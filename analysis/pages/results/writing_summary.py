"""Key figures of a writing study, for the first page of its results."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q
from django.utils.translation import gettext, ngettext

from analysis.pages.results.run_results import RunResults
from annotation.models import Assignment, Study
from annotation.texts.number_formats import figure, span
from writing.process.measured import SHOWN, TIMES

FEWEST_QUARTILES = 4  # texts, before half of them lie in the middle
MEASURES = ("active_minutes", "typed_share", "paste_ratio", "deletion_ratio")
State = Assignment.State


@dataclass(frozen=True)
class Fact:
    title: str
    said: str
    note: str


@dataclass(frozen=True)
class WritingSummary:
    """Figures of a writing study; `facts` are medians of the run."""

    accepted: int
    handed_in: int
    facts: list[Fact]


def written_in(found: RunResults) -> WritingSummary | None:
    """Return the figures of a writing study; None for other studies."""
    study = found.run.study
    if study.kind != Study.Kind.WRITING:
        return None
    works = Assignment.objects.filter(study=study).aggregate(
        accepted=Count("pk", filter=Q(state=State.ACCEPTED)),
        handed_in=Count("pk", filter=Q(state__in=[State.SUBMITTED, State.ACCEPTED])),
    )
    facts = found.kept("written", lambda: [*_lengths(found), *_process(found)])
    return WritingSummary(works["accepted"], works["handed_in"], facts)


def _lengths(found: RunResults) -> Iterator[Fact]:
    """Yield the median words of accepted texts by style, which have no common median."""
    for row in found.records("texts", "counts", measure="words"):
        group = ", ".join(found.words.of(row[key]) for key in ("style", "origin") if row.get(key))
        yield Fact(
            gettext("Words, {group}").format(group=group),
            figure(row["median"]),
            _texts(gettext("median"), int(row["n"])),
        )


def _process(found: RunResults) -> Iterator[Fact]:
    rows = {row["measure"]: row for row in found.records("process", "process", style="all")}
    for name in MEASURES:
        if name not in rows:
            continue
        title, unit, _ = SHOWN[name]
        row = rows[name]
        note = _texts(_middle(name, row), int(row["n"]))
        if unit.startswith("% "):
            note = f"{gettext(unit)[2:]}; {note}"
        yield Fact(gettext(title), _said(name, row["median"]), note)


def _middle(name: str, row: Mapping[str, Any]) -> str:
    if row["n"] < FEWEST_QUARTILES:
        return gettext("median")
    return gettext("median; interquartile range {low} to {high}").format(
        low=_said(name, row["lower_quartile"]), high=_said(name, row["upper_quartile"])
    )


def _said(name: str, value: float) -> str:
    _, unit, factor = SHOWN[name]
    if name in TIMES:
        return span(value * factor)
    return f"{figure(round(value * factor, 1))}%" if unit.startswith("%") else figure(value)


def _texts(said: str, n: int) -> str:
    return ngettext("{said}; {n} text", "{said}; {n} texts", n).format(said=said, n=f"{n:,}")
