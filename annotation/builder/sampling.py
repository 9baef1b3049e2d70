"""A corpus of one topic to show a page with: of a real corpus, or made up. Never kept."""

from annotation.models import Corpus, Passage, Response, Segment, Topic

PASSAGES, RESPONSES = 5, 6
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
    passages = list(topic.passages.order_by("rank")[:PASSAGES])
    responses = list(topic.responses.exclude(text="").order_by("pk")[:RESPONSES])
    segments = list(
        Segment.objects.filter(response__in=responses).order_by("response", "line")[:100]
    )
    cited = {each.pk: set(each.cited.values_list("pk", flat=True)) for each in segments}
    topic.pk, topic.corpus = None, corpus
    topic._state.adding = True
    topic.save()
    new_passages = {}
    for passage in passages:
        old, passage.pk, passage.topic = passage.pk, None, topic
        passage._state.adding = True
        passage.save()
        new_passages[old] = passage
    new_responses: dict[int, Response] = {}
    new_segments: dict[int, Segment] = {}
    for response in responses:
        old, response.pk = response.pk, None
        response.corpus, response.topic, response.author, response.system = (
            corpus,
            topic,
            None,
            None,
        )
        response._state.adding = True
        response.save()
        new_responses[old] = response
    for segment in segments:
        old, parent = segment.pk, segment.parent_id
        segment.pk, segment.response = None, new_responses[segment.response_id]
        segment.parent = new_segments.get(parent) if parent else None
        segment._state.adding = True
        segment.save()
        segment.cited.set(new_passages[pk] for pk in cited[old] if pk in new_passages)
        new_segments[old] = segment


def _make_up(corpus: Corpus) -> None:
    topic = corpus.topics.create(key="sample", query=QUERY)
    passages = [
        Passage.objects.create(topic=topic, key=f"p{number}", rank=number, text=text)
        for number, text in enumerate(SENTENCES, start=1)
    ]
    for number, letter in enumerate("abcd"):
        order = [*SENTENCES[number:], *SENTENCES[:number]][:4]
        text = " ".join(order)
        response = Response.objects.create(
            corpus=corpus,
            topic=topic,
            key=letter,
            style="essay",
            origin="human" if number % 2 else "llm",
            text=text,
            words=len(text.split()),
        )
        _in_sections(response, order, passages)


def _in_sections(response: Response, sentences: list[str], passages: list[Passage]) -> None:
    """An overview, and a section with a heading and two statements."""
    parts = [("overview", sentences[0]), ("section", "")]
    parts += [
        ("heading", "What is known"),
        ("statement", sentences[1]),
        ("statement", sentences[2]),
    ]
    section = None
    for line, (kind, text) in enumerate(parts, start=1):
        parent = section if kind in ("heading", "statement") else None
        part = Segment.objects.create(
            response=response, kind=kind, text=text, line=line, parent=parent
        )
        section = part if kind == "section" else section
        if kind in ("overview", "statement"):
            part.cited.set(passages[:2])
