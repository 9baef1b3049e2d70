"""Earlier turns of the response in a slot."""

from collections.abc import Sequence

from annotation.texts.conversations import LABELS, Message, Role
from judging.items.kinds import item_kind
from judging.models import ItemSlot


def earlier_turns(slot: ItemSlot) -> Sequence[Message]:
    """Return the turns before a response; none if the only one is the query of the topic."""
    if slot.response is None or not slot.response.turns:
        return ()
    turns = [Message(Role(turn["role"]), turn["content"]) for turn in slot.response.turns]
    return () if turns == [Message(Role.USER, slot.item.topic.query)] else turns


def is_whole(slot: ItemSlot) -> bool:
    """Return whether the earlier turns are judged, too."""
    kind_slot = item_kind(slot.item.kind).slot(slot.name)
    return kind_slot is not None and kind_slot.whole_conversation


def conversation_text(slot: ItemSlot, text: str) -> str:
    """Return a text with its earlier turns, and say which turns are judged."""
    turns = earlier_turns(slot)
    if not turns or not text:
        return text
    before = "\n\n".join(f"[{LABELS[turn.role]}]\n{turn.content}" for turn in turns)
    last = f"[{LABELS[Role.ASSISTANT]}]\n{text}"
    if is_whole(slot):
        return f"{before}\n\n{last}"
    return f"Earlier turns (context):\n\n{before}\n\nThe last turn (judge this one):\n\n{last}"
