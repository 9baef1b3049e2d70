"""The evidence of a work for its reviewer: measures, flags, and where the study puts each.

Only reads what writing.process.measuring keeps; no log is replayed here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from annotation.models import Assignment, Study
from annotation.texts.number_formats import figure, span
from annotation.texts.sentences import marked
from writing.models import ProcessRecord
from writing.process.evidence import Flag, FlagRank, LogPoint, standing
from writing.process.measures import (
    COMPOSITIONS,
    Values,
    extremities,
    flag_standing,
    value,
)


@dataclass(frozen=True)
class MeasureRow:
    """A measure for people; `standing` is among the other submissions of the study."""

    name: str
    said: str
    unit: str
    ms: int | None
    standing: FlagRank | None


@dataclass(frozen=True)
class Flagged:
    """A flag, and how far out it lies among the other submissions; None where they are too few."""

    flag: Flag
    standing: FlagRank | None

    @property
    def title(self) -> str:
        return title_of(self.flag.kind)


@dataclass(frozen=True)
class Rank:
    """Priority of a submission: flags, then its most extreme measure (0 to 100)."""

    flags: int
    extremity: float


FLAGS = {
    "foreign insertion": marked("Foreign insertion"),
    "pace": marked("Fast typing"),
    "no corrections": marked("No corrections"),
    "homogeneous rhythm": marked("Uniform typing rhythm"),
    "focus loss before a paste": marked("Left the window before pasting"),
    "source without the text": marked("Text missing from its source"),
    "clock ahead of ours": marked("Clock ahead of server"),
    "arrived all at once": marked("Received all at once"),
}


def title_of(kind: str) -> str:
    """Return the title of a flag on pages; files use its kind."""
    return gettext(FLAGS[kind]) if kind in FLAGS else kind.capitalize()


# The measures that a reviewer sees: name, unit, and what a value is multiplied with; those of TIMES
# become seconds, which are said as a person says them.
SHOWN: dict[str, tuple[str, str, float]] = {
    "active_minutes": (marked("Active time"), "", 60),
    "typing_pace": (marked("Typing speed"), marked("words per minute"), 1),
    "copy_pace": (marked("Copy task speed"), marked("words per minute"), 1),
    "typed_share": (marked("Typed"), marked("% of the text"), 100),
    "elsewhere_share": (marked("Pasted from elsewhere and kept"), marked("% of the text"), 100),
    "paste_ratio": (marked("Pasted or inserted at once"), marked("% of input"), 100),
    "moved": (marked("Moved within the text"), marked("characters"), 1),
    "without_paste": (
        marked("Inserted without paste, such as dictation"),
        marked("characters"),
        1,
    ),
    "deletion_ratio": (marked("Deleted"), marked("% of input"), 100),
    "away_seconds": (marked("Outside the window"), "", 1),
    "key_variation": (marked("Key rhythm variation"), marked("SD / mean"), 1),
    "foreign_insertions": (marked("Long insertions from outside the passages"), "", 1),
    "burst_minutes": (marked("Longest part received within 10 s"), marked("of the recording"), 60),
}
TIMES = ("active_minutes", "away_seconds", "burst_minutes")


def rows_of(record: ProcessRecord, others: Sequence[Values]) -> list[MeasureRow]:
    """Return the measures of a submission beside those of the others in its study."""
    rows = []
    for key, (name, unit, factor) in SHOWN.items():
        mine, ms = record.values.get(key, (None, None))
        if mine is not None:
            place = standing(mine, (value(key, other) for other in others))
            unit_name = gettext(unit) if unit else ""
            shown = span(factor * mine) if key in TIMES else figure(factor * mine)
            rows.append(MeasureRow(gettext(name), shown, unit_name, ms, place))
    return rows


def flags_of(record: ProcessRecord, others: Sequence[Values]) -> list[Flagged]:
    """Return the flags of a submission, each with its rank in the study."""
    flags = [_flag(**flag) for flag in record.flags]
    return [Flagged(flag, flag_standing(flag.kind, flag.value, others)) for flag in flags]


def _flag(*, points: Iterable[Sequence[int]], **parts: object) -> Flag:
    return Flag(points=tuple(LogPoint(*point) for point in points), **parts)  # type: ignore[arg-type]


def caution(record: ProcessRecord, *, of_snapshots: bool = False) -> str:
    """Return what to keep in mind about measures of an older record; empty for a new one."""
    if record.version < COMPOSITIONS:
        return gettext(
            "Computed before November 2026: on phones and with input methods, letters count "
            "as deleted and retyped, and time on our page as away."
        )
    remarks = []
    if value("rewritten", record.values):
        remarks.append(
            gettext(
                "Written before November 2026 on a phone or with an input method, so the log "
                "repeats whole words."
            )
        )
    if value("window_recorded", record.values) == 0 and not of_snapshots:
        remarks.append(
            gettext(
                "Logged before November 2026: only background time counts as outside; "
                "passages in a closed drawer may count as viewed."
            )
        )
    return " ".join(remarks)


def others_of(assignment: Assignment) -> list[Values]:
    """Return the measures of the other submissions to its study."""
    records = ProcessRecord.objects.filter(writing__assignment__study=assignment.study_id, fault="")
    return list(records.exclude(writing__assignment=assignment.pk).values_list("values", flat=True))


def ranks_of(study: Study) -> dict[int, Rank]:
    """Return the review priority of each measured submission of a study."""
    records = ProcessRecord.objects.filter(writing__assignment__study=study, fault="")
    rows = list(records.values_list("writing__assignment", "flags", "values"))
    far = extremities([values for _, _, values in rows])
    return {pk: Rank(len(flags), out) for (pk, flags, _), out in zip(rows, far, strict=True)}


def by_evidence(pks: Iterable[int], ranks: dict[int, Rank]) -> list[int]:
    """Submissions with most flags first, then those furthest out; equal ones keep their order.

    What is not measured comes last.
    """
    none = Rank(-1, 0)

    def key(pk: int) -> tuple[int, float]:
        rank = ranks.get(pk, none)
        return -rank.flags, -rank.extremity

    return sorted(pks, key=key)
