"""What items can be made of: the corpus of a study and its criteria. Only reads."""

from collections.abc import Callable

from annotation.models import Corpus, Passage, Response
from judging.design.texts import Material, Text
from judging.items.kinds import Holds, item_kind
from judging.models import Instrument


def material_of(*, instrument: Instrument) -> Material:
    """What the items of an instrument can show, as the design sees it."""
    corpus, kind = instrument.study.corpus, item_kind(instrument.item_kind)
    read: dict[Holds, Callable[[], list[Text]]] = {
        Holds.RESPONSE: lambda: texts_of(corpus),
        Holds.PASSAGE: lambda: _passages_of(corpus),
        Holds.CRITERION: lambda: _points_of(instrument),
    }
    return {each: read[each]() for each in {slot.holds for slot in kind.slots}}


def _passages_of(corpus: Corpus) -> list[Text]:
    rows = Passage.objects.filter(topic__corpus=corpus).order_by("topic", "rank")
    found = rows.values_list("id", "topic_id", "rank", "text").iterator()
    return [
        Text(id=pk, topic=topic, rank=rank, words=len(text.split()))
        for pk, topic, rank, text in found
    ]


def _points_of(instrument: Instrument) -> list[Text]:
    """The criteria that items show: those that no question asks about."""
    rows = instrument.criteria.filter(questions=None).order_by("id")
    return [
        Text(id=each.pk, topic=each.topic_id, words=len(f"{each.name} {each.definition}".split()))
        for each in rows
    ]


def texts_of(corpus: Corpus) -> list[Text]:
    """The responses of a corpus as the design sees them, without those that were withdrawn."""
    rows = Response.objects.filter(corpus=corpus).exclude(text="").order_by("id")
    return [
        Text(id=pk, topic=topic, words=words, origin=origin, style=style)
        for pk, topic, words, origin, style in rows.values_list(
            "id", "topic_id", "words", "origin", "style"
        )
    ]
