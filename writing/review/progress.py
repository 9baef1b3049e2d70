"""Progress of the texts of a writing study by style, in time and words. Only reads.

Active time is that of the log without absences (docs/methods/process.md), not from consent to
submission; it is known of what has been measured.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from django.db.models import Count, Q

from annotation.models import Assignment, Place, Study
from writing.models import ProcessRecord, Writing
from writing.review import terms
from writing.review.submissions import LISTS


@dataclass(frozen=True)
class StyleProgress:
    """Places and works of one style; medians are of what was handed in, None without any."""

    style: str
    name: str
    places: int
    at_work: int
    waiting: int
    accepted: int
    rejected: int
    words: float | None
    active_seconds: float | None

    @property
    def written(self) -> int:
        """Handed in, and not rejected: such work holds its place."""
        return self.waiting + self.accepted


@dataclass(frozen=True)
class TextsProgress:
    """All styles, and the texts together; verdicts are what the log says of each text."""

    styles: list[StyleProgress]
    texts: int
    measured: int
    active_seconds: float | None
    words: float | None
    in_range: int  # texts within the brief's range of words
    equal: int
    differs: int
    incomplete: int
    flagged: int  # texts with something to look at; never a verdict


@dataclass(frozen=True)
class SubmittedText:
    """Something that was handed in; `work` is the id of its assignment."""

    work: int
    style: str
    words: int
    verdict: str
    active_seconds: float | None
    flagged: bool


def progress_of(study: Study) -> TextsProgress:
    texts = texts_of(study)
    active = [text.active_seconds for text in texts if text.active_seconds is not None]
    verdicts = [text.verdict for text in texts]
    return TextsProgress(
        styles=_styles(study, texts),
        texts=len(texts),
        measured=len(active),
        active_seconds=median(active) if active else None,
        words=_median(text.words for text in texts),
        in_range=len(in_range(study, texts)),
        equal=verdicts.count(Writing.Verdict.EQUAL),
        differs=verdicts.count(Writing.Verdict.DIFFERS),
        incomplete=verdicts.count(Writing.Verdict.INCOMPLETE),
        flagged=sum(text.flagged for text in texts),
    )


def texts_of(study: Study) -> list[SubmittedText]:
    """Return the submitted texts of a study."""
    writings = Writing.objects.filter(
        assignment__study=study, assignment__state__in=Assignment.HANDED_IN
    )
    records = ProcessRecord.objects.filter(writing__in=writings, fault="")
    record_by_writing: dict[int, ProcessRecord] = {record.writing_id: record for record in records}
    texts = []
    style_of = "assignment__task__writing_task__style"
    times = ("assignment__started_at", "assignment__submitted_at")
    rows = writings.values_list("pk", "assignment", style_of, "words", "verdict", *times)
    for pk, work, style, words, verdict, began, submitted in rows:
        record = record_by_writing.get(pk)
        minutes, _ = record.values["active_minutes"] if record else (None, None)
        seconds = None if minutes is None else 60 * minutes
        broken_rules = terms.rules(
            words=words,
            began=began,
            submitted=submitted,
            brief=study.brief,
            least=study.minimum_seconds,
        )
        flagged = bool(broken_rules or (record and record.flags))
        texts.append(SubmittedText(work, style, words, verdict, seconds, flagged))
    return texts


def in_range(study: Study, texts: Iterable[SubmittedText]) -> list[SubmittedText]:
    """Those as long as the brief asks for."""
    low, high = study.brief.low_words, study.brief.high_words
    return [text for text in texts if low <= text.words <= high]


def _styles(study: Study, texts: list[SubmittedText]) -> list[StyleProgress]:
    """Return the styles in the order of the brief."""
    style = "task__writing_task__style"
    places = dict(
        Place.objects.filter(task__batch__study=study).values_list(style).annotate(n=Count("pk"))
    )
    works = Assignment.objects.filter(study=study).values(style).order_by()
    counted = works.annotate(
        at_work=Count("pk", Q(state__in=Assignment.LIVE)),
        waiting=Count("pk", Q(state=LISTS["waiting"])),
        accepted=Count("pk", Q(state=LISTS["accepted"])),
        rejected=Count("pk", Q(state=LISTS["rejected"])),
    )
    counts = {row.pop(style): row for row in counted}
    nothing = {"at_work": 0, "waiting": 0, "accepted": 0, "rejected": 0}
    return [
        StyleProgress(
            style=style["style"],
            name=style["name"],
            places=places[style["style"]],
            words=_median(text.words for text in texts if text.style == style["style"]),
            active_seconds=_median(
                text.active_seconds for text in texts if text.style == style["style"]
            ),
            **counts.get(style["style"], nothing),
        )
        for style in study.brief.styles
        if style["style"] in places
    ]


def _median(values: Iterable[float | None]) -> float | None:
    present = [value for value in values if value is not None]
    return median(present) if present else None
