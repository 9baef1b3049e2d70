"""A topic to show a page with: of a real corpus, or made up. Only reads."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count

from django.db.models import Exists, OuterRef

from annotation.corpora.systems import texts_by, topics_of
from annotation.models import Corpus, Passage, Response, Segment, Topic
from annotation.texts.words import count_words

PASSAGES, RESPONSES, MOST_SEGMENTS = 5, 6, 100
LETTERS = "abcd"
QUERY = "Why do cats purr?"
SENTENCES = (
    "Cats purr when they are at ease, and also when they are hurt or afraid.",
    "The sound comes from muscles of the larynx that open and close the glottis many times a "
    "second.",
    "Some researchers think that these vibrations help bones and tissue to heal.",
    "Kittens purr a few days after birth, which tells their mother that all is well.",
    "Cheetahs purr as well, while lions and tigers roar.",
)
MADE_UP = -1_000_000  # ids from here on: no row has one below 0


@dataclass(frozen=True)
class SampleSection:
    """A segment of a response, and the ids of the passages that it cites."""

    segment: Segment
    cited: tuple[int, ...]


@dataclass(frozen=True)
class PageSample:
    """A topic with a few passages and responses for a preview of the pages."""

    topic: Topic
    systems: Collection[str] | None

    @cached_property
    def passages(self) -> Sequence[Passage]:
        """Best first."""
        return list(self.topic.passages.order_by("rank")[:PASSAGES])

    @cached_property
    def responses(self) -> Sequence[Response]:
        texts = self.topic.responses.filter(texts_by(self.systems)).with_text()
        return list(texts.order_by("pk")[:RESPONSES])

    @cached_property
    def parts(self) -> Sequence[SampleSection]:
        """Return the parts of the responses, in the order of their lines."""
        responses = {response.pk: response for response in self.responses}
        rows = Segment.objects.filter(response__in=list(responses)).order_by("response", "line")
        segments = {row.pk: row for row in rows[:MOST_SEGMENTS]}
        through = Segment.cited.through.objects.filter(segment__in=list(segments)).order_by("pk")
        cited: dict[int, list[int]] = {pk: [] for pk in segments}
        for segment, passage in through.values_list("segment_id", "passage_id"):
            cited[segment].append(passage)
        for cited_segment in segments.values():
            cited_segment.response = responses[cited_segment.response_id]
        return [SampleSection(segment, tuple(cited[pk])) for pk, segment in segments.items()]


def sample_of(
    corpus: Corpus | None,
    systems: Collection[str] | None = None,
    chosen: Collection[str] | None = None,
) -> PageSample:
    """Return a sample of the first topic that has texts of these systems, or an invented one."""
    topic = _topic(corpus, systems, chosen) if corpus else None
    return _made_up() if topic is None else PageSample(topic, systems)


def _topic(
    of: Corpus, systems: Collection[str] | None, chosen: Collection[str] | None
) -> Topic | None:
    topics = topics_of(of, systems, chosen).order_by("pk")
    texts = Response.objects.filter(topic=OuterRef("pk"))
    several = topics.filter(Exists(texts.with_text()))
    return several.first() or topics.filter(passages__isnull=False).first()


@dataclass(frozen=True)
class _MadeUp(PageSample):
    passages: Sequence[Passage]
    responses: Sequence[Response]
    parts: Sequence[SampleSection]


def _made_up() -> PageSample:
    pks = count(MADE_UP)
    topic = Topic(pk=next(pks), key="sample", query=QUERY)
    passages = [
        Passage(
            pk=next(pks),
            topic=topic,
            key=f"p{number}",
            rank=number,
            text=text,
            words=len(text.split()),
        )
        for number, text in enumerate(SENTENCES, start=1)
    ]
    orders = [[*SENTENCES[n:], *SENTENCES[:n]][:4] for n in range(len(LETTERS))]
    responses = [
        Response(
            pk=next(pks),
            topic=topic,
            key=letter,
            style="essay",
            origin="human" if number % 2 else "llm",
            text=(text := " ".join(order)),
            words=count_words(text),
        )
        for number, (letter, order) in enumerate(zip(LETTERS, orders, strict=True))
    ]
    cited = tuple(passage.pk for passage in passages[:2])
    parts = [
        SampleSection(segment, cited if segment.kind in ("overview", "statement") else ())
        for response, order in zip(responses, orders, strict=True)
        for segment in _in_sections(response, order, pks)
    ]
    return _MadeUp(topic, None, passages, responses, parts)


def _in_sections(response: Response, sentences: list[str], pks: "count[int]") -> list[Segment]:
    """Return invented statements in sections, without any row in the database."""
    overview = Segment(pk=next(pks), response=response, kind="overview", text=sentences[0], line=1)
    heading = "What is known"
    section = Segment(
        pk=next(pks),
        response=response,
        kind="section",
        text=f"**{heading}**\n\n{sentences[1]}\n\n{sentences[2]}",
        line=2,
    )
    within = [("heading", heading), ("statement", sentences[1]), ("statement", sentences[2])]
    return [
        overview,
        section,
        *(
            Segment(
                pk=next(pks), response=response, kind=kind, text=text, line=line, parent=section
            )
            for line, (kind, text) in enumerate(within, start=3)
        ),
    ]
