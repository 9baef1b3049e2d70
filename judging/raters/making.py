"""The item that a label is about, where the study does not have it yet: planned, not written."""

from contextlib import suppress

from django.utils.translation import gettext

from annotation.models import Passage, Response, Segment, Study, Topic
from judging.design.questionnaires import PlannedItem
from judging.items.kinds import KINDS, Holds, ItemKind
from judging.models import Criterion
from judging.raters.files import Line


class CannotMake(ValueError):
    """The corpus does not have what the label is about; the message says what is missing."""


def planned(study: Study, line: Line) -> tuple[str, PlannedItem]:
    """The kind of the item, and the item. Raises CannotMake."""
    kind = _kind(line)
    topic = _topic(study, kind, line)
    contents = tuple(
        _content(study, kind, name, line.contents[name], topic)
        for name in kind.in_order(line.contents)
    )
    return kind.name, PlannedItem(
        contents=contents, topic=topic.pk, words=0, unit=(kind.name, contents)
    )


def _kind(line: Line) -> ItemKind:
    """The kind whose slots the line fills."""
    for kind in KINDS.values():
        with suppress(LookupError):  # a kind whose items show another number of things
            if set(kind.names(len(line.contents))) == set(line.contents):
                return kind
    raise CannotMake(
        gettext("no kind of items has the slots {contents}").format(
            contents=", ".join(line.contents) or gettext("of none")
        )
    )


def _topic(study: Study, kind: ItemKind, line: Line) -> Topic:
    """The one that is named, or that of its first response."""
    topics = study.corpus.topics
    if line.topic:
        found = topics.filter(key=line.topic).first()
    else:
        keys = [key for name, key in line.contents.items() if _holds(kind, name) == Holds.RESPONSE]
        found = topics.filter(responses__key__in=keys).first()
    if found is None:
        raise CannotMake(gettext("the corpus has no topic {topic!r}").format(topic=line.topic))
    return found


def _holds(kind: ItemKind, name: str) -> Holds:
    slot = kind.slot(name)
    assert slot is not None  # the kind was found by its slots
    return slot.holds


def _content(study: Study, kind: ItemKind, name: str, key: str, topic: Topic) -> int:
    holds = _holds(kind, name)
    response, _, number = key.rpartition(":")
    of_response = Segment.objects.filter(response__corpus=study.corpus_id, response__topic=topic)
    rows = {
        Holds.SEGMENT: of_response.filter(
            response__key=response, line=int(number) if number.isdecimal() else 0
        ),
        Holds.RESPONSE: Response.objects.filter(corpus=study.corpus_id, topic=topic, key=key),
        Holds.PASSAGE: Passage.objects.filter(topic=topic, key=key),
        Holds.CRITERION: Criterion.objects.filter(instrument__study=study, key=key),
    }
    found = rows[holds].values_list("pk", flat=True).first() if holds in rows else None
    if found is None:
        raise CannotMake(
            gettext("topic {key} has no {value} {key_2!r}").format(
                key=topic.key, value=holds.value, key_2=key
            )
        )
    return int(found)
