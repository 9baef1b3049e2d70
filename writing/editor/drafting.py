"""A text from the acknowledged rule to its submission. It is what the interaction log rebuilds."""

from bisect import bisect_left
from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.dispatch import receiver

from annotation import signals
from annotation.fieldwork.work import assigning, ordering_requests
from annotation.fieldwork.work.refusals import NotLive, Superseded, UnknownLink
from annotation.models import Assignment, Study
from annotation.refusals import Refusal, too_large
from annotation.texts.sentences import Sentence
from annotation.texts.words import count_words
from writing.log.collecting import events_of, missing_numbers
from writing.log.eventlog import MOST_UNITS, Event, Snapshot, units, well_formed
from writing.models import LogChunk, PackedLog, Writing
from writing.process.baseline import Copied
from writing.process.replay import BrokenLog, rebuilt

NAMED = 500  # missing numbers told at once
State = Assignment.State


def not_acknowledged() -> Refusal:
    """Return the refusal of a writer who has not accepted the rule of the study."""
    return Refusal(
        "NotAcknowledged",
        Sentence("Please read the rule of this study and agree before you write."),
    )


class EmptyText(Refusal):
    status = 422
    sentence = Sentence("Your text is empty. Please write it before you submit.")


class LogIncomplete(Refusal):
    """Chunks of the log have not arrived; `missing` are their numbers, to be sent again."""

    status = 422

    def __init__(self, missing: list[int]) -> None:
        self.missing = missing[:NAMED]
        super().__init__(
            sentence=Sentence("Part of your text hasn't arrived yet. Please try again.")
        )


class CurrentText(NamedTuple):
    """A text to go on with, and the numbers of the next chunk and of its first event.

    `ms` is the time of the last event that is here: none may come that is earlier.
    """

    text: str = ""
    next_number: int = 1
    next_seq: int = 1
    ms: int = 0


def current_text(assignment: Assignment, *, past_gaps: bool = False) -> CurrentText:
    """Return the text of the log up to its first gap, and the position where the log goes on.

    A gap before a snapshot is closed: the log began again there. With `past_gaps` every gap
    counts as closed, because the tab cannot send the missing chunks.
    """
    runs = _runs(_events_to_go_on_with(assignment))
    sound = [run for run in runs if any(isinstance(event, Snapshot) for event in run)]
    if not sound and runs and runs[0][0].seq == 1:
        sound = runs[:1]
    position = runs[-1:] if past_gaps else sound[-1:]
    if not position:
        return CurrentText()
    last = position[0][-1]
    number, seq, ms = _number_after(assignment, last), last.seq + 1, last.ms
    return CurrentText(_text_of(sound[-1]) if sound else "", number, seq, ms)


def _events_to_go_on_with(assignment: Assignment) -> list[Event]:
    """All events; of work that is redone those since, from the text that was submitted."""
    events = events_of(assignment)
    packed = PackedLog.objects.filter(assignment=assignment).first()
    writing = Writing.objects.filter(assignment=assignment).first()
    if packed is None or writing is None:
        return events
    submitted = Snapshot(seq=packed.last_seq, ms=packed.last_ms, text=writing.text)
    return [submitted, *(event for event in events if event.seq > packed.last_seq)]


def _runs(events: Sequence[Event]) -> list[Sequence[Event]]:
    """Return the events, cut at each gap."""
    cuts = [at for at, (one, two) in enumerate(pairwise(events), 1) if two.seq != one.seq + 1]
    edges = [0, *cuts, len(events)]
    return [events[start:end] for start, end in pairwise(edges) if end > start]


def _text_of(run: Sequence[Event]) -> str:
    """Return the text at the end of a run; of a broken run, at its last valid event."""
    snapshots = [at for at, event in enumerate(run) if isinstance(event, Snapshot)]
    events = run[snapshots[-1] :] if snapshots else run
    for seq, event in enumerate(events, start=1):  # they are ours alone
        event.seq = seq
    if _breaks(events):
        first = bisect_left(range(len(events)), True, key=lambda end: _breaks(events[:end]))
        events = events[: first - 1]
    return well_formed(rebuilt(events))


def _breaks(events: Sequence[Event]) -> bool:
    try:
        rebuilt(events)
    except BrokenLog:
        return True
    return False


def _number_after(assignment: Assignment, last: Event) -> int:
    chunk = LogChunk.objects.filter(assignment=assignment, last_seq__gte=last.seq)
    numbers = chunk.order_by("number").values_list("number", flat=True)
    packed = PackedLog.objects.filter(assignment=assignment).values_list("last_number", flat=True)
    return (numbers.first() or packed.get()) + 1


@transaction.atomic
def acknowledge(
    *,
    assignment: Assignment,
    now: datetime,
    answers: dict[str, Any],
    copied: Copied | None = None,
    number: int = 0,
) -> Writing:
    """Create the writing when the writer accepts the rule.

    Later answers replace earlier ones, except those of a form that arrives late. `copied` is
    the sentence of the copy task, if it was typed.
    """
    _lock(assignment)
    if ordering_requests.is_newest(assignment=assignment, number=number, entry_answers=answers):
        assignment.entry_answers = answers
    writing, _ = Writing.objects.get_or_create(
        assignment=assignment, defaults={"acknowledged_at": now}
    )
    if copied is not None:
        writing.copy_units, writing.copy_ms = copied
        writing.save(update_fields=["copy_units", "copy_ms"])
    assigning.note_work(assignment=assignment, now=now)
    return writing


def _lock(assignment: Assignment, *, allow: Sequence[State] = ()) -> str:
    """Lock the assignment and return its state.

    Raises NotLive unless it is active or allowed, and UnknownLink for work that is no writing.
    """
    writing = Assignment.objects.filter(study__kind=Study.Kind.WRITING)
    rows = writing.select_for_update(no_key=True, of=("self",)).only("state")
    if (locked := rows.filter(pk=assignment.pk).first()) is None:
        raise UnknownLink
    state = locked.state
    if state not in (State.ACTIVE, *allow):
        raise NotLive(state)
    return state


@transaction.atomic
def submit(
    *,
    assignment: Assignment,
    text: str,
    last_number: int,
    now: datetime,
    exit_answers: dict[str, Any] | None = None,
    lost: bool = False,
    number: int = 0,
) -> Assignment:
    """Hand a text in, with the verdict of the log on it. Twice is the same as once.

    1. Lock the assignment: no chunk comes in meanwhile.
    2. Refuse while chunks up to `last_number` are missing, unless they are `lost`.
    3. Compare the text with what the log rebuilds, and store both.

    Raises NotLive, UnknownLink, Superseded, NotAcknowledged, EmptyText, NotAText, TooLarge or
    LogIncomplete.
    """
    state = _lock(assignment, allow=(State.SUBMITTED, State.ACCEPTED))
    if state == State.ACTIVE:
        if not ordering_requests.is_newest(assignment=assignment, number=number):
            raise Superseded
        text = checked_text(text)
        missing = missing_numbers(assignment, up_to=last_number)
        if missing and not lost:
            raise LogIncomplete(missing)
        verdict = verdict_of(events_of(assignment), text, complete=not missing)
        mine = Writing.objects.filter(assignment=assignment)
        if not mine.update(text=text, words=count_words(text), verdict=verdict):
            raise not_acknowledged()
    return assigning.submit(assignment=assignment, now=now, exit_answers=exit_answers)


@receiver(signals.submitting)
def require_text(*, assignment: Assignment, **_: Any) -> bool | None:
    """Refuse a submission without a text. Raises NotAcknowledged, EmptyText."""
    if assignment.study.kind != Study.Kind.WRITING:
        return None
    text = Writing.objects.filter(assignment=assignment).values_list("text", flat=True).first()
    if text is None:
        raise not_acknowledged()
    if not text.strip():
        raise EmptyText
    return True


def checked_text(text: str) -> str:
    """Return the text as it can be stored: U+FFFD replaces half a surrogate pair.

    Raises NotAText, TooLarge or EmptyText.
    """
    if "\x00" in text:
        raise Refusal(
            "NotAText",
            Sentence("This text contains characters that can't be saved."),
            status=422,
        )
    if units(text) > MOST_UNITS:
        raise too_large()
    if not text.strip():
        raise EmptyText
    return well_formed(text)


def verdict_of(events: Sequence[Event], text: str, *, complete: bool) -> Writing.Verdict:
    """Compare a submitted text with the one that its log rebuilds."""
    if not complete or not events or len(_runs(events)) > 1 or events[0].seq != 1:
        return Writing.Verdict.INCOMPLETE
    try:
        same = well_formed(rebuilt(events)) == text
    except BrokenLog:
        same = False
    return Writing.Verdict.EQUAL if same else Writing.Verdict.DIFFERS


def unpacked() -> QuerySet[Assignment]:
    """Finished work whose log is still in chunks."""
    done = Assignment.objects.filter(study__kind=Study.Kind.WRITING, state__in=Assignment.HANDED_IN)
    return done.filter(writing__isnull=False, log_chunks__isnull=False).distinct()
