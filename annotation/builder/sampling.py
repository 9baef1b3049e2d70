"""A corpus of one topic to show a page with: of a real corpus, or made up. Never kept."""

from annotation.corpora.summaries import write_segments
from annotation.models import Corpus, Passage, Response, Segment, Topic

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


def sample_corpus(*, slug: str, of: Corpus | None) -> Corpus:
    """A topic with a few passages and responses; the first of a corpus that has both, if any."""
    corpus = Corpus.objects.create(slug=slug, name=of.name if of else "Sample")
    topic = _topic(of) if of else None
    if topic is None:
        _make_up(corpus)
    else:
        _copy(topic, corpus)
    return corpus


def _topic(of: Corpus) -> Topic | None:
    """The first topic with something to show."""
    topics = of.topics.order_by("pk")
    several = topics.filter(responses__isnull=False).exclude(responses__text="")
    return several.first() or topics.filter(passages__isnull=False).first()


def _copy(topic: Topic, corpus: Corpus) -> None:
    passages = {each.pk: each for each in topic.passages.order_by("rank")[:PASSAGES]}
    responses = {
        each.pk: each for each in topic.responses.exclude(text="").order_by("pk")[:RESPONSES]
    }
    parts = Segment.objects.filter(response__in=list(responses)).order_by("response", "line")
    segments = list(parts.prefetch_related("cited")[:MOST_SEGMENTS])
    topic.pk, topic.corpus = None, corpus
    topic._state.adding = True
    topic.save()
    for passage in passages.values():
        passage.pk, passage.topic = None, topic
    Passage.objects.bulk_create(passages.values())
    for response in responses.values():
        response.pk, response.corpus, response.topic = None, corpus, topic
        response.author = response.system = None
    Response.objects.bulk_create(responses.values())
    new: dict[int, Segment] = {}
    for each in segments:
        new[each.pk] = Segment(
            response=responses[each.response_id],
            kind=each.kind,
            line=each.line,
            text=each.text,
            parent=new.get(each.parent_id) if each.parent_id else None,
        )
    write_segments(
        (new[each.pk], [passages[p.pk].pk for p in each.cited.all() if p.pk in passages])
        for each in segments
    )


def _make_up(corpus: Corpus) -> None:
    topic = corpus.topics.create(key="sample", query=QUERY)
    passages = Passage.objects.bulk_create(
        Passage(topic=topic, key=f"p{number}", rank=number, text=text)
        for number, text in enumerate(SENTENCES, start=1)
    )
    orders = [[*SENTENCES[n:], *SENTENCES[:n]][:4] for n in range(len(LETTERS))]
    responses = Response.objects.bulk_create(
        Response(
            corpus=corpus,
            topic=topic,
            key=letter,
            style="essay",
            origin="human" if number % 2 else "llm",
            text=(text := " ".join(order)),
            words=len(text.split()),
        )
        for number, (letter, order) in enumerate(zip(LETTERS, orders, strict=True))
    )
    first_two = [passage.pk for passage in passages[:2]]
    write_segments(
        (part, first_two if part.kind in ("overview", "statement") else [])
        for response, order in zip(responses, orders, strict=True)
        for part in _in_sections(response, order)
    )


def _in_sections(response: Response, sentences: list[str]) -> list[Segment]:
    """An overview, and a section with a heading and two statements."""
    overview = Segment(response=response, kind="overview", text=sentences[0], line=1)
    section = Segment(response=response, kind="section", text="", line=2)
    within = [
        ("heading", "What is known"),
        ("statement", sentences[1]),
        ("statement", sentences[2]),
    ]
    return [
        overview,
        section,
        *(
            Segment(response=response, kind=kind, text=text, line=line, parent=section)
            for line, (kind, text) in enumerate(within, start=3)
        ),
    ]
