"""Earlier turns of the response in a slot, and of a topic, as prompts have them."""

from collections.abc import Sequence

from annotation.corpora.threads import turns_before, turns_of_topic
from annotation.models import Topic
from annotation.texts.conversations import LABELS, RawTurn, Speaker
from judging.items.kinds import item_kind
from judging.models import ItemSlot


def earlier_turns(slot: ItemSlot) -> Sequence[RawTurn]:
    """Return the turns before a response that are not those of its topic.

    A response that is judged with its whole conversation has those of the topic, too.
    """
    if slot.response is None:
        return ()
    topic = slot.item.topic
    turns = turns_before(slot.response, topic)
    is_shown = turns != turns_of_topic(topic) or (bool(topic.turns) and is_whole(slot))
    return turns if is_shown else ()


def is_whole(slot: ItemSlot) -> bool:
    """Return whether the earlier turns are judged, too."""
    kind_slot = item_kind(slot.item.kind).slot(slot.name)
    return kind_slot is not None and kind_slot.whole_conversation


def conversation_text(slot: ItemSlot, text: str) -> str:
    """Return a text with its earlier turns, and say which turns are judged."""
    turns = earlier_turns(slot)
    if not turns or not text:
        return text
    last = _written([RawTurn(Speaker.ASSISTANT, text)])
    if is_whole(slot):
        return f"{_written(turns)}\n\n{last}"
    return (
        f"Earlier turns (context):\n\n{_written(turns)}\n\n"
        f"The last turn (judge this one):\n\n{last}"
    )


def query_text(topic: Topic) -> str:
    """Return the query of a topic with the turns before it."""
    if not topic.turns:
        return topic.query
    *before, _ = turns_of_topic(topic)
    return f"Earlier turns (context):\n\n{_written(before)}\n\nThe query:\n\n{topic.query}"


def _written(turns: Sequence[RawTurn]) -> str:
    return "\n\n".join(f"[{LABELS[turn.role]}]\n{turn.content}" for turn in turns)
