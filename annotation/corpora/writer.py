"""Put checked rows of an upload into a corpus, a batch at a time.

A row whose key is there already must be equal, and then changes nothing.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, Literal, TypeVar

from django.db.models import Max, QuerySet

from annotation.corpora import rag_answers
from annotation.corpora.checks import Checks, M
from annotation.corpora.foreign import translated
from annotation.corpora.report import ImportReport, Ledger
from annotation.corpora.schema import (
    AnswerRow,
    Kind,
    Line,
    PassageRow,
    RagAnswerRow,
    RankingRow,
    ResponseRow,
    RetrievalRow,
    Row,
    SummaryRow,
    SystemRow,
    TopicRow,
    listed,
)
from annotation.corpora.summaries import (
    Place,
    Pool,
    as_response,
    citing,
    fault_of,
    is_as_stored,
    link,
    pool_of,
    without_unknown,
    write_parts,
    write_segments,
)
from annotation.models import (
    Citation,
    Corpus,
    Origin,
    Passage,
    Ranking,
    Response,
    System,
    Topic,
)
from annotation.texts.citations import cited_numbers
from annotation.texts.words import count_words

Unknown = Literal["refuse", "report"]
MOST_OBJECTS = 5_000  # held at once while citations are written
R = TypeVar("R", bound=Row)


def _rows(batch: Iterable[Line], kind: type[R]) -> list[tuple[Line, R]]:
    return [(line, line.row) for line in batch if isinstance(line.row, kind)]


def _pks(stored: "QuerySet[Any]", keys: Iterable[str]) -> dict[str, int]:
    """Return the primary keys of those that are there, by key."""
    return dict(stored.filter(key__in=set(keys)).values_list("key", "pk"))


class Store(Checks):
    """A corpus that takes the batches of one upload."""

    def __init__(
        self,
        *,
        corpus: Corpus,
        ledger: Ledger,
        report: ImportReport,
        origin: Origin | None,
        unknown_citations: Unknown,
        unknown_passages: Unknown = "refuse",
        degraded_copies: bool = False,
    ) -> None:
        super().__init__(ledger=ledger, report=report)
        self._corpus = corpus
        self._origin = origin
        self._drops_unknown = unknown_citations == "report"
        self._drops_unranked = unknown_passages == "report"
        self._makes_copies = degraded_copies
        self._origins: dict[str, Origin] = {}  # stated by systems: few

    def take(self, batch: list[Line]) -> None:
        """Store a batch of one file. A retrieval row is a topic and its passages."""
        self._refused.clear()
        answers = _rows(batch, AnswerRow)
        self._systems_of(row.agent for _, row in answers)
        batch = [line._replace(row=translated(line.row)) for line in batch]
        retrieval = _rows(batch, RetrievalRow)
        topics = [line._replace(row=row.topic_row()) for line, row in retrieval]
        self._topics(_rows(topics, TopicRow) or _rows(batch, TopicRow))
        passages = [line._replace(row=p) for line, row in retrieval for p in row.passage_rows()]
        self._passages(_rows(passages, PassageRow) or _rows(batch, PassageRow))
        self._systems(_rows(batch, SystemRow))
        self._rankings(_rows(batch, RankingRow))
        self._responses(_rows(batch, ResponseRow))
        if summaries := _rows(batch, SummaryRow):
            self._summaries(summaries)
        if found := _rows(batch, RagAnswerRow):
            self._rag_answers(found)

    # -- Each kind -----------------------------------------------------------------------------
    def _topics(self, rows: list[tuple[Line, TopicRow]]) -> None:
        given: dict[object, tuple[Line, Topic]] = {
            row.topic: (
                line,
                Topic(
                    corpus=self._corpus,
                    key=row.topic,
                    query=row.query,
                    description=row.description or "",
                ),
            )
            for line, row in rows
            if self._is_first(line, "topic", "", row.topic)
        }
        stored = self._corpus.topics.filter(key__in=list(given))
        new = self._new(
            Kind.TOPICS, given, stored, "key", {"query": "query", "description": "description"}
        )
        self._create(Kind.TOPICS, new)

    def _passages(self, rows: list[tuple[Line, PassageRow]]) -> None:
        topics = _pks(self._corpus.topics.all(), (row.topic for _, row in rows))
        given: dict[object, tuple[Line, Passage]] = {}
        for line, row in rows:
            if (
                self._is_there(line, "topic", row.topic, topics)
                and self._is_first(line, "passage", row.topic, row.passage)
                and (row.rank is None or self._is_first(line, "rank", row.topic, str(row.rank)))
            ):
                passage = Passage(
                    topic_id=topics[row.topic],
                    key=row.passage,
                    rank=row.rank or 0,
                    title=row.title or "",
                    text=row.text,
                )
                given[passage.topic_id, passage.key] = line, passage
        keys = {passage.key for _, passage in given.values()}
        stored = Passage.objects.filter(topic__in=set(topics.values()), key__in=keys)
        same = {"rank": "rank", "title": "title", "text": "text"}
        new = self._new(Kind.PASSAGES, given, stored, ("topic_id", "key"), same)
        self._rank_last([passage for _, passage in new])
        self._create(Kind.PASSAGES, self._with_free_rank(new))

    def _rank_last(self, new: list[Passage]) -> None:
        """Put passages that state no rank behind the others of their topics, in their order."""
        unranked = [passage for passage in new if not passage.rank]
        topics = Passage.objects.filter(topic__in={passage.topic_id for passage in unranked})
        last = Counter(dict(topics.values_list("topic").annotate(Max("rank"))))
        for passage in new:
            last[passage.topic_id] = max(last[passage.topic_id], passage.rank)
        for passage in unranked:
            last[passage.topic_id] += 1
            passage.rank = last[passage.topic_id]

    def _with_free_rank(self, new: list[tuple[Line, Passage]]) -> list[tuple[Line, Passage]]:
        """Leave out passages that take another's rank, or would renumber what responses cite."""
        topics = {passage.topic_id for _, passage in new}
        ranks = {passage.rank for _, passage in new}
        stored = Passage.objects.filter(topic__in=topics, rank__in=ranks)
        wanted = {(passage.topic_id, passage.rank) for _, passage in new}
        pairs = stored.values_list("topic_id", "rank", "key").iterator()
        taken = {(topic, rank): key for topic, rank, key in pairs if (topic, rank) in wanted}
        cited = dict(
            Citation.objects.filter(passage__topic__in=topics)
            .values_list("passage__topic")
            .annotate(Max("passage__rank"))
        )
        free = []
        for line, passage in new:
            if key := taken.get((passage.topic_id, passage.rank)):
                self._refuse(line, "rank", f"{passage.rank} is taken by the passage {key!r}")
            elif passage.rank < (last := cited.get(passage.topic_id, 0)):
                reason = (
                    f"{passage.rank} would renumber what the responses that are there cite,"
                    f" down to rank {last}"
                )
                self._refuse(line, "rank", reason)
            else:
                free.append((line, passage))
        return free

    def _systems(self, rows: list[tuple[Line, SystemRow]]) -> None:
        given: dict[object, tuple[Line, System]] = {}
        for line, row in rows:
            if self._is_first(line, "system", "", row.system):
                given[row.system] = line, System(corpus=self._corpus, key=row.system, name=row.name)
            if row.origin:
                self._origins[row.system] = row.origin
        stored = self._corpus.systems.filter(key__in=list(given))
        self._create(Kind.SYSTEMS, self._new(Kind.SYSTEMS, given, stored, "key", {"name": "name"}))

    def _rankings(self, rows: list[tuple[Line, RankingRow]]) -> None:
        """Store rankings, and the systems that made them. What the pool lacks may be left out."""
        topics = _pks(self._corpus.topics.all(), (row.topic for _, row in rows))
        pool = Passage.objects.filter(
            topic__in=set(topics.values()), key__in={row.passage for _, row in rows}
        )
        passages = {each[:2]: each[2] for each in pool.values_list("topic_id", "key", "pk")}
        systems = self._systems_of(row.system for _, row in rows)
        given: dict[object, tuple[Line, Ranking]] = {}
        ranked: set[int] = set()
        for line, row in rows:
            topic = topics.get(row.topic, 0)
            passage = passages.get((topic, row.passage))
            if not self._is_first_ranked(line, row):
                continue
            if passage is None:
                self._report_unranked(line, row, is_topic_known=bool(topic))
                continue
            system = systems[row.system]
            ranked.add(passage)
            given[system, passage] = (
                line,
                Ranking(
                    system_id=system,
                    topic_id=topic,
                    passage_id=passage,
                    rank=row.rank,
                    score=row.score,
                ),
            )
        stored = Ranking.objects.filter(system__in=systems.values(), passage__in=ranked)
        same = {"rank": "rank", "score": "score"}
        new = self._new(Kind.RANKINGS, given, stored, ("system_id", "passage_id"), same)
        self._create(Kind.RANKINGS, self._with_free_place(new))

    def _systems_of(self, names: Iterable[str]) -> dict[str, int]:
        """The systems of these keys; what is not there is made."""
        keys = dict.fromkeys(names)
        known = _pks(self._corpus.systems.all(), keys)
        missing = [
            System(corpus=self._corpus, key=key, name=key) for key in keys if key not in known
        ]
        System.objects.bulk_create(missing)
        if missing:
            self._report.added[Kind.SYSTEMS.value] += len(missing)
        return known | {system.key: system.pk for system in missing}

    def _is_first_ranked(self, line: Line, row: RankingRow) -> bool:
        scope = f"{row.system}\0{row.topic}"
        for field, key in (("passage", row.passage), ("rank", str(row.rank))):
            before = self._ledger.first(line=line, kind=f"ranked {field}", scope=scope, key=key)
            if before:
                ranking = f"the ranking of {row.system!r} for the topic {row.topic!r}"
                self._refuse(line, field, f"{key!r} stands twice in {ranking}, first in {before}")
                return False
        return True

    def _report_unranked(self, line: Line, row: RankingRow, *, is_topic_known: bool) -> None:
        field, key = ("passage", row.passage) if is_topic_known else ("topic", row.topic)
        if self._drops_unranked:
            self._report.warn(line.bad(field, f"{key!r} is not there"))
        else:
            self._refuse(line, field, f"{key!r} is not there")

    def _with_free_place(self, new: list[tuple[Line, Ranking]]) -> list[tuple[Line, Ranking]]:
        """Leave out rankings that take the rank of another passage in the same list."""
        stored = Ranking.objects.filter(
            system__in={each.system_id for _, each in new},
            topic__in={each.topic_id for _, each in new},
            rank__in={each.rank for _, each in new},
        )
        places = stored.values_list("system_id", "topic_id", "rank", "passage__key")
        taken = {(system, topic, rank): key for system, topic, rank, key in places}
        free = []
        for line, each in new:
            if key := taken.get((each.system_id, each.topic_id, each.rank)):
                self._refuse(line, "rank", f"{each.rank} is taken by the passage {key!r}")
            else:
                free.append((line, each))
        return free

    def _responses(self, rows: list[tuple[Line, ResponseRow]]) -> list[Response]:
        """Store responses; return the new ones."""
        topics = _pks(self._corpus.topics.all(), (row.topic for _, row in rows))
        systems = _pks(self._corpus.systems.all(), (row.system for _, row in rows if row.system))
        passages = self._passages_by_rank(topics.values())
        given: dict[object, tuple[Line, Response]] = {}
        cited: dict[str, list[int]] = {}
        for line, row in rows:
            if (
                self._is_there(line, "topic", row.topic, topics)
                and (not row.system or self._is_there(line, "system", row.system, systems))
                and self._is_first(line, "response", "", row.response)
                and (origin := self._origin_of(line, row))
            ):
                cited[row.response] = self._cited(line, row, passages[topics[row.topic]])
                given[row.response] = (
                    line,
                    Response(
                        corpus=self._corpus,
                        topic_id=topics[row.topic],
                        key=row.response,
                        style=row.style.value,
                        origin=origin.value,
                        system_id=systems[row.system] if row.system else None,
                        text=row.text,
                        words=count_words(row.text),
                    ),
                )
        stored = self._corpus.responses.filter(key__in=list(given))
        same = {"topic_id": "topic", "style": "style", "origin": "origin", "system_id": "system"}
        new = self._new(Kind.RESPONSES, given, stored, "key", same | {"text": "text"})
        self._create(Kind.RESPONSES, new)
        made = [response for _, response in new]
        self._cite(made, cited)
        return made

    # -- Structured summaries ------------------------------------------------------------------
    def _summaries(self, rows: list[tuple[Line, SummaryRow]]) -> None:
        """Store summaries as responses with parts, and their systems; copies after originals."""
        topics = _pks(self._corpus.topics.all(), (row.topic for _, row in rows))
        pool = pool_of(topics.values())
        given: dict[str, tuple[Line, SummaryRow]] = {}
        for line, row in rows:
            if (whole := self._with_known(line, row, pool)) is not None:
                copies = whole.copies() if self._makes_copies else []
                given |= {each.summary: (line, each) for each in (whole, *copies)}
        self._systems_of(row.system for _, row in given.values() if row.system)
        texts = [
            (line._replace(row=text), text)
            for line, row in given.values()
            for text in [as_response(row, pool.get(row.topic, {}))]
        ]
        new = self._responses(texts)
        by_key = {response.key: response for response in new}
        write_parts(by_key, (row for key, (_, row) in given.items() if key in by_key), pool)
        for line, row in given.values():
            if row.copy_of and row.summary in by_key and not link(row, self._corpus):
                self._refuse(line, "copy_of", f"{row.copy_of!r} is not there")
        for response in self._corpus.responses.filter(key__in=set(given) - set(by_key)):
            line, row = given[response.key]
            if not is_as_stored(row, response):
                self._refuse(line, "summary", f"{row.summary!r} is there already with other parts")

    def _with_known(self, line: Line, row: SummaryRow, pool: Pool) -> SummaryRow | None:
        """The row with documents that its topic has; None if it is refused."""
        if reason := fault_of(row):
            self._refuse(line, "summary", reason)
            return None
        known = pool.get(row.topic, {})
        unknown = dict.fromkeys(key for keys in citing(row) for key in keys if key not in known)
        if not self._may_cite(line, row.summary, row.topic, unknown):
            return None
        return without_unknown(row, known) if unknown else row

    # -- TREC RAG
    def _rag_answers(self, rows: list[tuple[Line, RagAnswerRow]]) -> None:
        """Store answers as responses with statements, and the runs as systems."""
        pool = pool_of(_pks(self._corpus.topics.all(), (row.of_topic for _, row in rows)).values())
        self._systems_of(row.run for _, row in rows)
        kept = [
            (line, row)
            for line, row in rows
            if self._has_cited(line, row, pool.get(row.of_topic, {}))
        ]
        texts = [
            (line._replace(row=text), text)
            for line, row in kept
            for text in [rag_answers.as_response(row, pool.get(row.of_topic, {}))]
        ]
        new = {response.key: response for response in self._responses(texts)}
        fresh = (row for _, row in kept if row.key in new)
        write_segments(rag_answers.statements(new, fresh, pool))

    def _has_cited(self, line: Line, row: RagAnswerRow, known: Mapping[str, Place]) -> bool:
        """Whether the pool has what an answer cites, or may do without it."""
        cited = dict.fromkeys(key for _, keys in row.sentences() for key in keys)
        return self._may_cite(line, row.key, row.of_topic, [k for k in cited if k not in known])

    def _may_cite(self, line: Line, text: str, topic: str, unknown: Iterable[str]) -> bool:
        """Whether a text may be taken that cites documents which its topic does not have."""
        if not (names := listed(unknown)):
            return True
        reason = f"{text} cites {names}, which topic {topic} does not have"
        if not self._drops_unknown:
            self._refuse(line, "citations", reason)
            return False
        self._report.warn(line.bad("citations", reason))
        return True

    def _origin_of(self, line: Line, row: ResponseRow) -> Origin | None:
        origin = row.origin or self._origins.get(row.system or "") or self._origin
        if origin is None:
            self._refuse(line, "origin", "is missing, and none was given for the whole upload")
        return origin

    # -- Citations -----------------------------------------------------------------------------
    def _passages_by_rank(self, topics: Iterable[int]) -> Mapping[int, "array[int]"]:
        """Return each topic's passages, best first, as primary keys."""
        found: dict[int, array[int]] = defaultdict(lambda: array("q"))
        stored = Passage.objects.filter(topic__in=set(topics)).order_by("topic", "rank")
        for topic, passage in stored.values_list("topic_id", "pk").iterator():
            found[topic].append(passage)
        return found

    def _cited(self, line: Line, row: ResponseRow, passages: "array[int]") -> list[int]:
        """Return the cited passages; numbers without one are refused, or warned of and dropped."""
        numbers = cited_numbers(row.text)
        count = len(passages)
        if unknown := [f"[{number}]" for number in dict.fromkeys(numbers) if number >= count]:
            held = f"{count} passages (0-{count - 1})" if count else "no passages"
            reason = (
                f"response {row.response} cites {listed(unknown)}, but topic {row.topic} has {held}"
            )
            if self._drops_unknown:
                self._report.warn(line.bad("text", reason))
            else:
                self._refuse(line, "text", reason)
        return [passages[number] for number in numbers if number < count]

    def _cite(self, responses: list[Response], cited: Mapping[str, list[int]]) -> None:
        """Write the citations in the order of each text, a chunk at a time."""
        citations = (
            Citation(response=response, passage_id=passage, position=position)
            for response in responses
            for position, passage in enumerate(cited[response.key], start=1)
        )
        while chunk := list(islice(citations, MOST_OBJECTS)):
            Citation.objects.bulk_create(chunk)

    def _create(self, kind: Kind, new: list[tuple[Line, M]]) -> None:
        if new:
            type(new[0][1])._default_manager.bulk_create([m for _, m in new], batch_size=500)
            self._report.added[kind.value] += len(new)
