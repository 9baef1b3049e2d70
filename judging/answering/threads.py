"""The conversation above the texts of a judging page."""

from collections.abc import Sequence

from annotation.corpora.shown_texts import ShownTexts
from annotation.corpora.threads import Thread, TurnView, thread_of, turn_views, turns_of_topic
from annotation.models import Topic


def thread_above(
    topic: Topic, turns: Sequence[Sequence[TurnView]], texts: ShownTexts
) -> Thread | None:
    """Return the turns that all texts have in common, or those of their topic, or None.

    `turns` are those of each text. A query that is no heading is a turn of its own.
    """
    if any(turns):
        if len(turns) < 2 or any(some != turns[0] for some in turns):
            return None
        return thread_of(turns[0])
    if not topic.turns and texts.heading(topic.query).is_whole:
        return None
    return thread_of(turn_views(turns_of_topic(topic), texts, name="topic"))
