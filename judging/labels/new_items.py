"""Planned items for labels on things that the study has no item for yet."""

from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property

from django.utils.translation import gettext

from annotation.models import Passage, Response, Segment, Study, Topic
from judging.designers.questionnaires import PlannedItem
from judging.items.kinds import KINDS, Holds, ItemKind
from judging.labels.files import LabelLine
from judging.models import Criterion


class CannotMake(ValueError):
    """The corpus lacks what the label is about; the message names it."""


class Planner:
    """Contents of the corpus, looked up once a topic: there are many lines and few topics."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._found: dict[tuple[Holds, int], dict[str, int]] = {}

    def planned(self, line: LabelLine) -> tuple[str, PlannedItem]:
        """Return the kind and the planned item. Raises CannotMake."""
        kind = _kind(line)
        topic = self._topic(kind, line)
        contents = tuple(
            self._content(_holds(kind, name), line.contents[name], topic)
            for name in kind.in_order(line.contents)
        )
        self._require_one_summary(kind, line)
        return kind.name, PlannedItem(
            contents=contents, topic=topic.pk, words=0, unit=(kind.name, contents)
        )

    def _require_one_summary(self, kind: ItemKind, line: LabelLine) -> None:
        """Raise CannotMake if sections are not of the text of the judged part."""
        part = line.contents[kind.subject.name].rpartition(":")[0]
        for slot in kind.slots:
            if slot.sections_only and line.contents[slot.name] != part:
                raise CannotMake(gettext("sections and overview belong to different summaries"))

    def _topic(self, kind: ItemKind, line: LabelLine) -> Topic:
        """Return the named topic, or that of the first response."""
        keys = [key for name, key in line.contents.items() if _holds(kind, name) == Holds.RESPONSE]
        theirs = [self._topic_of[key] for key in keys if key in self._topic_of]
        named = line.topic or min(theirs, default=(0, ""))[1]
        if named not in self._topics:
            raise CannotMake(gettext("the corpus has no topic {topic!r}").format(topic=line.topic))
        return self._topics[named]

    @cached_property
    def _topics(self) -> dict[str, Topic]:
        return {topic.key: topic for topic in self._study.corpus.topics.only("key", "corpus")}

    @cached_property
    def _topic_of(self) -> dict[str, tuple[int, str]]:
        """Topic of each response, as id and key."""
        responses = Response.objects.filter(corpus=self._study.corpus_id).order_by()
        rows = responses.values_list("key", "topic", "topic__key")
        return {key: (topic, name) for key, topic, name in rows}

    def _content(self, holds: Holds, key: str, topic: Topic) -> int:
        where = holds, 0 if holds == Holds.CRITERION else topic.pk  # points are the study's
        if where not in self._found:
            self._found[where] = dict(self._rows(holds, topic))
        content = self._found[where].get(_plain(key) if holds == Holds.SEGMENT else key)
        if content is None:
            raise CannotMake(
                gettext("topic {topic} has no {kind} {key!r}").format(
                    topic=topic.key, kind=holds.value, key=key
                )
            )
        return content

    def _rows(self, holds: Holds, topic: Topic) -> Iterable[tuple[str, int]]:
        """Return key and id of all possible contents of a slot of a topic."""
        if holds == Holds.SEGMENT:
            segments = Segment.objects.filter(response__topic=topic).order_by()
            rows = segments.values_list("response__key", "line", "pk")
            return ((f"{response}:{line}", pk) for response, line, pk in rows)
        sources = {
            Holds.RESPONSE: Response.objects.filter(topic=topic),
            Holds.PASSAGE: Passage.objects.filter(topic=topic),
            Holds.CRITERION: Criterion.objects.filter(instrument__study=self._study),
        }
        if holds not in sources:
            return ()
        return sources[holds].order_by("-pk").values_list("key", "pk")  # of several the first


def _plain(key: str) -> str:
    """Return the key of a segment without leading zeros in its line."""
    response, _, number = key.rpartition(":")
    is_number = number.isdecimal() and len(number) < 10
    return f"{response}:{int(number) if is_number else 0}"


def _kind(line: LabelLine) -> ItemKind:
    """Return the kind with these slots."""
    for kind in KINDS.values():
        with suppress(LookupError):  # a kind whose items show another number of things
            if set(kind.names(len(line.contents))) == set(line.contents):
                return kind
    raise CannotMake(
        gettext("no item type has the slots {contents}").format(
            contents=", ".join(line.contents) or gettext("(none)")
        )
    )


def _holds(kind: ItemKind, name: str) -> Holds:
    slot = kind.slot(name)
    assert slot is not None  # the kind was found by its slots
    return slot.holds
