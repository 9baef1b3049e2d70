"""Contents of a corpus for the pages that show it. Only reads."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import (
    Count,
    F,
    IntegerField,
    Max,
    Model,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
)
from django.db.models.functions import Coalesce, Substr

from annotation.lists import ListFilter, RecordList
from annotation.models import (
    Citation,
    Corpus,
    Passage,
    Ranking,
    Response,
    Segment,
    Study,
    System,
    Topic,
)
from annotation.models.corpus import Origin, erased_text

State = tuple[int | None, ...]
MOST_SHOWN = 160  # characters of a text in a list
MOST_DIGITS = 18  # of an id that a database takes


def state_of(corpus: Corpus) -> State:
    """Numbers that differ once something has come to a corpus or was taken back from it.

    To count its parts takes a large corpus a while: a page asks once and hands it on. Passages are
    counted in an index, which has their ranks and not their ids: all of them with their texts are
    a hundred times as long.
    """
    texts = Response.objects.filter(corpus=corpus).with_text()
    passages = Passage.objects.filter(topic__corpus=corpus)
    segments = Segment.objects.filter(response__corpus=corpus)
    counts = (
        texts.aggregate(n=Count("pk"), last=Max("pk"), words=Sum("words")),
        corpus.topics.aggregate(n=Count("pk"), last=Max("pk")),
        passages.aggregate(n=Count("topic"), ranks=Sum("rank")),
        segments.aggregate(n=Count("pk"), last=Max("pk")),
    )
    return (corpus.pk, *(n for numbers in counts for n in numbers.values()))


def _counted(model: type[Model], by: str, field: str = "pk") -> Coalesce:
    """Count the rows of a model that point to each row, or their distinct `field`.

    The count runs for the shown rows only.
    """
    rows = model._default_manager.filter(**{by: OuterRef("pk")}).order_by().values(by)
    count = Subquery(
        rows.annotate(n=Count(field, distinct=field != "pk")).values("n"),
        output_field=IntegerField(),
    )
    return Coalesce(count, 0)


def topics(corpus: Corpus) -> "QuerySet[Topic]":
    return corpus.topics.annotate(
        passage_count=_counted(Passage, "topic"), response_count=_counted(Response, "topic")
    ).order_by("pk")


def passages(corpus: Corpus) -> "QuerySet[Passage]":
    return (
        Passage.objects.filter(topic__corpus=corpus)
        .annotate(
            beginning=Substr("text", 1, MOST_SHOWN),
            cited_count=_counted(Citation, "passage", field="response"),
        )
        .select_related("topic")
        .only("key", "rank", "title", "topic__query")
        .order_by("topic_id", "rank")
    )


def responses(corpus: Corpus) -> "QuerySet[Response]":
    return (
        corpus.responses.annotate(cited_count=_counted(Citation, "response"))
        .select_related("topic", "system")
        .only(
            *("corpus", "key", "style", "origin", "words"),
            *("topic__query", "system__key", "system__name"),
        )
        .order_by("topic_id", "pk")
    )


def systems(corpus: Corpus) -> "QuerySet[System]":
    return corpus.systems.annotate(
        response_count=_counted(Response, "system"), ranking_count=_counted(Ranking, "system")
    ).order_by("key")


def rankings(corpus: Corpus) -> "QuerySet[Ranking]":
    return (
        Ranking.objects.filter(system__corpus=corpus)
        .select_related("system", "topic", "passage")
        .only(
            *("rank", "score", "system__key", "system__name", "topic__query"),
            *("passage__key", "passage__title", "passage__rank"),
        )
        .order_by("system_id", "topic_id", "rank")
    )


def _name(corpus: Corpus, key: str) -> str | None:
    return corpus.systems.filter(key=key).values_list("name", flat=True).first()


def _query(corpus: Corpus, key: str) -> str | None:
    return corpus.topics.filter(key=key).values_list("query", flat=True).first()


def _origin(_: Corpus, origin: str) -> str | None:
    return str(Origin(origin).label) if origin in Origin.values else None


def _passage(corpus: Corpus, pk: str) -> str | None:
    if not pk.isdecimal() or len(pk) > MOST_DIGITS:
        return None
    rows = Passage.objects.filter(topic__corpus=corpus, pk=pk).annotate(start=Substr("text", 1, 60))
    return next((title or start for title, start in rows.values_list("title", "start")), None)


def _citing(passage: str) -> "QuerySet[Any]":
    """Return the responses that cite a passage, each once."""
    return Citation.objects.filter(passage=int(passage)).order_by().values("response").distinct()


OF_SYSTEM = ListFilter("system", "System", "system__key", _name)
OF_TOPIC = ListFilter("topic", "Topic", "topic__key", _query)
OF_ORIGIN = ListFilter("origin", "Written by", "origin", _origin)
CITES = ListFilter("passage", "Cites", lambda _, pk: Q(pk__in=_citing(pk)), _passage)
PARTS = {
    part.key: part
    for part in (
        RecordList(
            "topics", "Topics", topics, one="topic", search_in=("key", "query", "description")
        ),
        RecordList(
            "passages", "Passages", passages, one="passage", search_in=("key", "title", "text")
        ),
        RecordList(
            key="responses",
            title="Answers",
            one="answer",
            rows=responses,
            filters=(OF_SYSTEM, OF_TOPIC, OF_ORIGIN, CITES),
            search_in=("key", "text", "topic__query"),
        ),
        RecordList("systems", "Systems", systems, one="system", search_in=("key", "name")),
        RecordList(
            key="rankings",
            title="Rankings",
            one="ranked passage",
            rows=rankings,
            filters=(OF_SYSTEM, OF_TOPIC),
            search_in=("system__key", "system__name", "topic__query", "passage__key"),
        ),
    )
}
OF_CORPUS = {
    "topics": (Topic, "corpus"),
    "passages": (Passage, "topic__corpus"),
    "responses": (Response, "corpus"),
    "systems": (System, "corpus"),
    "rankings": (Ranking, "system__corpus"),
    "studies": (Study, "corpus"),
}


def counts(corpora: Iterable[Corpus]) -> dict[int, dict[str, int]]:
    """Count the rows of each kind in each corpus, in one query a kind."""
    wanted = [corpus.pk for corpus in corpora]
    row_counts: dict[int, dict[str, int]] = {pk: dict.fromkeys(OF_CORPUS, 0) for pk in wanted}
    for kind, (model, by) in OF_CORPUS.items():
        rows = model._default_manager.filter(**{f"{by}__in": wanted}).order_by()
        for pk, n in rows.values_list(by).annotate(n=Count("pk")):
            row_counts[pk][kind] = n
    return row_counts


def origins(corpus: Corpus) -> dict[str, int]:
    """Count the responses by people and by language models."""
    rows = corpus.responses.order_by().values_list("origin").annotate(n=Count("pk"))
    return dict(rows)


def holdings(corpus: Corpus) -> frozenset[str]:
    """Return which of responses, passages and parts of responses (by kind) the corpus has."""
    segments = Segment.objects.filter(response__corpus=corpus).order_by()
    kinds = set(segments.values_list("kind", flat=True).distinct())
    if corpus.responses.exclude(erased_text()).exists() or kinds:
        kinds.add("response")
    if Passage.objects.filter(topic__corpus=corpus).exists():
        kinds.add("passage")
    return frozenset(kinds)


def varied(corpus: Corpus) -> set[str]:
    """Return which of style and origin differ between responses: a constant column says nothing."""
    pairs = list(corpus.responses.order_by().values_list("style", "origin").distinct())
    columns = dict(zip(("style", "origin"), zip(*pairs, strict=True), strict=False))
    return {name for name, values in columns.items() if len(set(values)) > 1}


def passages_of(topic: Topic) -> Sequence[Passage]:
    """Return the pool of a topic, best first; citations number it in this order."""
    cited = Count("citations__response", distinct=True)
    pool = list(topic.passages.annotate(cited_count=cited).order_by("rank"))
    for number, passage in enumerate(pool):
        passage.number = number  # type: ignore[attr-defined]
    return pool


def systems_that_rank(topic: Topic) -> "QuerySet[Any, dict[str, Any]]":
    """Each system that ranks the pool of a topic, and how many passages of it."""
    return (
        topic.rankings.order_by("system__key")
        .values(key=F("system__key"), name=F("system__name"))
        .annotate(n=Count("pk"))
    )
