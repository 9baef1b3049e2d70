"""Material of items: the corpus of a study and its criteria."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from operator import itemgetter

from django.db.models import QuerySet

from annotation.corpora.shared_reads import is_of_many, shared
from annotation.corpora.systems import responses_of, texts_by, topics_of
from annotation.corpora.word_counts import words_uncounted
from annotation.models import Corpus, Passage, Segment
from annotation.models.corpus import erased_text
from annotation.studies.drafts.page_samples import PageSample
from judging.design.document_scores import kept_scores
from judging.designers.texts import DesignParameters, DesignText, Material
from judging.items.kinds import Holds, ItemKind, item_kind
from judging.models import Instrument
from judging.raters.cells import known_texts


def material_of(
    *,
    instrument: Instrument,
    systems: Collection[str] | None = None,
    chosen_topics: Collection[str] | None = None,
) -> Material:
    """Return the material of an instrument's items, limited to systems and topics if named."""
    return material_for(
        kind=item_kind(instrument.item_kind),
        corpus=instrument.study.corpus,
        points=lambda: _points_of(instrument),
        scores=kept_scores(instrument),
        systems=systems,
        chosen_topics=chosen_topics,
    )


def material_for(
    *,
    kind: ItemKind,
    corpus: Corpus,
    points: Callable[[], list[DesignText]],
    scores: Mapping[int, int],
    parameters: DesignParameters | None = None,
    systems: Collection[str] | None = None,
    chosen_topics: Collection[str] | None = None,
) -> Material:
    """Return the material of items of a kind: passages with scores, texts, their parts, points.

    `systems` and `chosen_topics` limit it. For a single design (`parameters`) the passages that it
    leaves out are not read.
    """
    best = parameters.depth if parameters else None
    if parameters and parameters.documents_scored_at_least is not None:
        best = None  # those with the score are ranked among themselves
    read: dict[Holds, Callable[[], Sequence[DesignText]]] = {
        Holds.RESPONSE: lambda: texts_of(corpus, systems),
        Holds.PASSAGE: lambda: _passages_of(corpus, scores, best, systems),
        Holds.SEGMENT: lambda: _segments_of(corpus, systems),
        Holds.CRITERION: points,
    }
    material = {holds: read[holds]() for holds in {slot.holds for slot in kind.slots}}
    if chosen_topics is None:
        return material
    chosen = corpus.topics.filter(key__in=chosen_topics)
    return about(material, frozenset(chosen.values_list("pk", flat=True)))


def about(material: Material, topics: Collection[int]) -> Material:
    """Return the material on these topics, or on none."""
    return {
        holds: [text for text in texts if text.topic is None or text.topic in topics]
        for holds, texts in material.items()
    }


def material_in(sample: PageSample, *, kind: ItemKind, points: Sequence[DesignText]) -> Material:
    """Return the material in a sample of a corpus; its passages have no scores."""
    read: dict[Holds, Callable[[], list[DesignText]]] = {
        Holds.RESPONSE: lambda: [
            DesignText(
                id=response.pk,
                topic=sample.topic.pk,
                words=response.words,
                origin=response.origin,
                style=response.style,
                system=response.system_id or 0,
                is_empty=response.is_empty,
            )
            for response in sample.responses
        ],
        Holds.PASSAGE: lambda: [
            DesignText(id=passage.pk, topic=sample.topic.pk, rank=passage.rank, words=passage.words)
            for passage in sample.passages
        ],
        Holds.SEGMENT: lambda: _parts_in(sample),
        Holds.CRITERION: lambda: list(points),
    }
    return {holds: read[holds]() for holds in {slot.holds for slot in kind.slots}}


def _parts_in(sample: PageSample) -> list[DesignText]:
    shown = {passage.pk for passage in sample.passages}
    rows = [part for part in sample.parts if part.segment.response.copy_of_id is None]
    return _segment_texts(
        [
            (part.pk, sample.topic.pk, part.response_id, part.parent_id, part.kind, part.text)
            for part in (row.segment for row in rows)
        ],
        {row.segment.pk: [pk for pk in row.cited if pk in shown] for row in rows},
    )


def _passages_of(
    corpus: Corpus,
    scores: Mapping[int, int],
    best: int | None,
    systems: Collection[str] | None = None,
) -> Sequence[DesignText]:
    """Return all passages, or the `best` of each topic; all of a topic without a score.

    With `systems`, only topics with texts of these: methods asked together draw the same topics.
    """
    rows = _passage_texts(corpus, best, _hashable(systems))
    return [text._replace(score=scores.get(text.id)) for text in rows] if scores else rows


@shared
def _passage_texts(
    corpus: Corpus, best: int | None, systems: tuple[str, ...] | None
) -> list[DesignText]:
    """Return passages as texts of items, without a score."""
    if best is not None and is_of_many():
        every = _passage_texts(corpus, None, systems)
        with_some = {text.topic for text in every if text.rank <= best}
        return [t for t in every if t.rank <= best or t.topic not in with_some]
    return [
        DesignText(pk, topic, words, "", "", 0, rank)  # by position: there are tens of thousands
        for pk, topic, rank, words in _passage_rows(corpus, best, systems)
    ]


def _passage_rows(
    corpus: Corpus, best: int | None, systems: tuple[str, ...] | None
) -> list[tuple[int, int, int, int]]:
    """Return id, topic, rank and words of passages.

    Topics without one of the `best` are rare; the table is read a second time only for them.
    """
    rows = Passage.objects.filter(topic__corpus=corpus).order_by("topic", "rank")
    if systems is not None:
        rows = rows.filter(topic__in=topics_of(corpus, systems))
    columns = ("id", "topic_id", "rank", "words")
    if best is None:
        passages = list(rows.values_list(*columns))
    else:
        among = rows.filter(rank__lte=best)
        passages = list(among.values_list(*columns))
        with_some = {topic for _, topic, *_ in passages}
        others = rows.exclude(topic__in=among.order_by().values("topic"))
        if any(pk not in with_some for _, pk in topic_ids(corpus)):
            passages += others.values_list(*columns)
            passages.sort(key=itemgetter(1, 2))
        rows = among | others
    if all(map(itemgetter(3), passages)):
        return passages
    late = words_uncounted(rows)
    return [(pk, topic, rank, words or late.get(pk, 0)) for pk, topic, rank, words in passages]


@shared
def topic_ids(corpus: Corpus) -> list[tuple[str, int]]:
    """Return key and id of the topics."""
    return list(corpus.topics.values_list("key", "pk"))


def _hashable(systems: Collection[str] | None) -> tuple[str, ...] | None:
    return None if systems is None else tuple(systems)


def _segments_of(corpus: Corpus, systems: Collection[str] | None) -> list[DesignText]:
    """Return the parts of responses but withdrawn ones and degraded copies of others.

    A section has the words below it.
    """
    by_systems = texts_by(systems, response="response__")
    of_corpus = Segment.objects.filter(by_systems, response__corpus=corpus, response__copy_of=None)
    return parts_from(of_corpus.exclude(erased_text("response__")))


def parts_from(segments: QuerySet[Segment]) -> list[DesignText]:
    """Return these parts by response and line, with their citations."""
    through = Segment.cited.through.objects.filter(segment__in=segments.order_by())
    cited: dict[int, list[int]] = defaultdict(list)
    for segment, passage in through.order_by("pk").values_list("segment_id", "passage_id"):
        cited[segment].append(passage)
    rows = segments.order_by("response", "line").values_list(
        "id", "response__topic_id", "response_id", "parent_id", "kind", "text"
    )
    return _segment_texts(list(rows), cited)


def _segment_texts(
    rows: Sequence[tuple[int, int, int, int | None, str, str]], cited: Mapping[int, Sequence[int]]
) -> list[DesignText]:
    """Return texts from rows of id, topic, response, parent, kind and text, ordered by line."""
    words = {pk: len(text.split()) for pk, *_, text in rows}
    for pk, _, _, parent, _, _ in reversed(rows):  # a part stands below what it is part of
        if parent in words:
            words[parent] += words[pk]
    return [
        DesignText(
            id=pk,
            topic=topic,
            words=words[pk],
            part=kind,
            response=response,
            under=parent or 0,
            cited=tuple(cited.get(pk, ())),
        )
        for pk, topic, response, parent, kind, _ in rows
    ]


def _points_of(instrument: Instrument) -> list[DesignText]:
    """Return the criteria on items: those without a question about them."""
    rows = instrument.criteria.filter(questions=None).order_by("id")
    is_limited = instrument.bank is not None and instrument.design.get("cells") == "unknown"
    texts_in_bank = known_texts(instrument.bank) if instrument.bank and is_limited else {}
    return [
        point(
            pk=row.pk,
            topic=row.topic_id,
            name=row.name,
            definition=row.definition,
            known=texts_in_bank.get(row.key, frozenset()),
        )
        for row in rows
    ]


def point(
    *,
    pk: int,
    topic: int | None,
    name: str,
    definition: str,
    known: frozenset[int] = frozenset(),
) -> DesignText:
    words = len(f"{name} {definition}".split())
    return DesignText(id=pk, topic=topic, words=words, known=known)


def texts_of(corpus: Corpus, systems: Collection[str] | None = None) -> Sequence[DesignText]:
    """Return the responses of these systems but withdrawn ones."""
    return response_texts(corpus, _hashable(systems))


@shared
def response_texts(corpus: Corpus, systems: tuple[str, ...] | None) -> list[DesignText]:
    """Return the responses of these systems as texts of items."""
    rows = responses_of(corpus, systems).order_by("id")
    return [
        DesignText(pk, topic, words, origin, style, system or 0, is_empty=is_empty)
        for pk, topic, words, origin, style, system, is_empty in rows.values_list(
            "id", "topic_id", "words", "origin", "style", "system_id", "is_empty"
        )
    ]
