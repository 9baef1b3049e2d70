"""Conversations on a judging page: earlier turns above the judged one, long histories folded."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from django.utils.safestring import SafeString
from django.utils.translation import gettext

from annotation.texts.conversations import LABELS
from judging.items.conversations import earlier_turns, is_whole
from judging.models import ItemSlot

__all__ = ["Shown", "Thread", "TurnView", "common_thread", "is_whole", "thread_of", "turns_of"]

Shown = Callable[..., SafeString]
MOST_OPEN = 4  # earlier turns that are shown unfolded
LAST_OPEN = 2  # of more turns than that: the last ones


@dataclass(frozen=True)
class TurnView:
    """A turn as the study shows texts; two are equal if their contents are."""

    number: int
    role: str
    label: str
    content: str
    html: SafeString = field(compare=False)


@dataclass(frozen=True)
class Thread:
    """The turns before a judged one: `folded` ones come first."""

    folded: Sequence[TurnView]
    open: Sequence[TurnView]


def turns_of(slot: ItemSlot, shown: Shown, *, place: str) -> Sequence[TurnView]:
    """Return the turns before the response of a slot."""
    return [
        TurnView(
            number,
            turn.role.value,
            gettext(LABELS[turn.role]),
            turn.content,
            shown(turn.content, name=f"{place}-{number}"),
        )
        for number, turn in enumerate(earlier_turns(slot), start=1)
    ]


def thread_of(turns: Sequence[TurnView], *, is_judged: bool = False) -> Thread:
    """Return a thread; one that is judged as a whole has nothing folded."""
    if is_judged or len(turns) <= MOST_OPEN:
        return Thread((), turns)
    return Thread(turns[:-LAST_OPEN], turns[-LAST_OPEN:])


def common_thread(turns: Sequence[Sequence[TurnView]]) -> Thread | None:
    """Return the thread that several texts have in common, or None."""
    if len(turns) < 2 or not turns[0] or any(some != turns[0] for some in turns):
        return None
    return thread_of(turns[0])
