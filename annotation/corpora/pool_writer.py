"""Put topics with their passages, and systems with their rankings, into a corpus."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from django.db.models import Max, QuerySet
from django.utils.translation import gettext

from annotation.bulk_inserting import insert_all
from annotation.corpora.checks import LineChecks, M
from annotation.corpora.import_report import ImportReport, KeyLedger
from annotation.corpora.remedies import Problem, RemedyChoices
from annotation.corpora.rows import PassageRow, RankingRow, SystemRow, TopicRow
from annotation.corpora.schema import FileLine, RowKind
from annotation.models import Citation, Corpus, Origin, Passage, Ranking, System, Topic
from annotation.texts.sentences import marked

RANK_0 = marked("is 0, below the first rank. Set “First rank” to 0")


def pks_of(stored: "QuerySet[Any]", keys: Iterable[str]) -> dict[str, int]:
    """Return the primary keys of those that are there, by key."""
    return dict(stored.filter(key__in=set(keys)).values_list("key", "pk"))


class PoolWriter(LineChecks):
    """What responses answer and cite."""

    def __init__(
        self,
        *,
        corpus: Corpus,
        ledger: KeyLedger,
        report: ImportReport,
        choices: RemedyChoices,
        drops_unranked: bool,
    ) -> None:
        super().__init__(ledger=ledger, report=report, choices=choices)
        self._corpus = corpus
        self._drops_unranked = drops_unranked
        self._origins: dict[str, Origin] = {}  # stated by systems: few

    def _topics(self, rows: list[tuple[FileLine, TopicRow]]) -> None:
        wanted: dict[object, tuple[FileLine, Topic]] = {
            row.topic: (
                line,
                Topic(
                    corpus=self._corpus,
                    key=row.topic,
                    query=row.query,
                    description=row.description or "",
                    turns=row.turns or None,
                ),
            )
            for line, row in rows
            if self._is_first(line, "topic", "", row.topic)
        }
        stored = self._corpus.topics.filter(key__in=list(wanted))
        same = {"query": "query", "description": "description", "turns": "messages"}
        new = self._new(RowKind.TOPICS, wanted, stored, "key", same)
        self._create(RowKind.TOPICS, new)

    def _passages(self, rows: list[tuple[FileLine, PassageRow]]) -> None:
        topics = pks_of(self._corpus.topics.all(), (row.topic for _, row in rows))
        wanted: dict[object, tuple[FileLine, Passage]] = {}
        for line, row in rows:
            if (
                self._is_there(line, "topic", row.topic, topics)
                and self._is_first(line, "passage", row.topic, row.passage)
                and self._has_own_rank(line, row)
            ):
                if row.rank == 0 and not self._keeps_rank_0(line):
                    continue
                passage = Passage(
                    topic_id=topics[row.topic],
                    key=row.passage,
                    rank=row.rank or 0,
                    title=row.title or "",
                    text=row.text,
                )
                wanted[passage.topic_id, passage.key] = line, passage
        keys = {passage.key for _, passage in wanted.values()}
        stored = Passage.objects.filter(topic__in=set(topics.values()), key__in=keys)
        same = {"rank": "rank", "title": "title", "text": "text"}
        new = self._new(RowKind.PASSAGES, wanted, stored, ("topic_id", "key"), same)
        self._rank_last([passage for _, passage in new])
        self._create(RowKind.PASSAGES, self._with_free_rank(new))
        # Kept for the rest of the check, and refused all the same.
        if refused := sum(getattr(line.row, "rank", None) == 0 for line, _ in new):
            self._report.added[RowKind.PASSAGES.value] -= refused

    def _has_own_rank(self, line: FileLine, row: PassageRow) -> bool:
        is_free = row.rank is None or self._is_first(line, "rank", row.topic, str(row.rank))
        if not is_free:
            self._report.note_twice_ranked(line.file, row.rank)
        return is_free

    def _keeps_rank_0(self, line: FileLine) -> bool:
        """Refuse the rank only: the passage stays for the check, so that no other line fails.

        Returns False if the row is skipped.
        """
        bad = line.bad("rank", gettext(RANK_0), code=Problem.OTHER)
        if self._choices.skips(bad.code):
            self._refuse(line, bad.field, bad.reason)
            return False
        self._report.ranked_0.setdefault(bad.file, bad.place)
        self._report.refuse(bad)
        return True

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

    def _with_free_rank(
        self, new: list[tuple[FileLine, Passage]]
    ) -> list[tuple[FileLine, Passage]]:
        """Leave out passages that take another's rank, or would renumber what responses cite."""
        topics = {passage.topic_id for _, passage in new}
        ranks = {passage.rank for _, passage in new}
        stored = Passage.objects.filter(topic__in=topics, rank__in=ranks)
        wanted = {(passage.topic_id, passage.rank) for _, passage in new}
        pairs = stored.values_list("topic_id", "rank", "key").iterator()
        key_by_rank = {(topic, rank): key for topic, rank, key in pairs if (topic, rank) in wanted}
        cited = dict(
            Citation.objects.filter(passage__topic__in=topics)
            .values_list("passage__topic")
            .annotate(Max("passage__rank"))
        )
        free = []
        for line, passage in new:
            if key := key_by_rank.get((passage.topic_id, passage.rank)):
                self._refuse(
                    line,
                    "rank",
                    gettext("{rank} already belongs to passage {key!r}").format(
                        rank=passage.rank, key=key
                    ),
                )
            elif passage.rank < (last := cited.get(passage.topic_id, 0)):
                reason = gettext("{rank} would change existing citations up to rank {last}").format(
                    rank=passage.rank, last=last
                )
                self._refuse(line, "rank", reason)
            else:
                free.append((line, passage))
        return free

    def _systems(self, rows: list[tuple[FileLine, SystemRow]]) -> None:
        wanted: dict[object, tuple[FileLine, System]] = {}
        self._report.describes_systems |= bool(rows)
        for line, row in rows:
            if self._is_first(line, "system", "", row.system):
                wanted[row.system] = (
                    line,
                    System(corpus=self._corpus, key=row.system, name=row.name),
                )
            if row.origin:
                self._origins[row.system] = row.origin
        stored = self._corpus.systems.filter(key__in=list(wanted))
        self._create(
            RowKind.SYSTEMS, self._new(RowKind.SYSTEMS, wanted, stored, "key", {"name": "name"})
        )

    def _rankings(self, rows: list[tuple[FileLine, RankingRow]]) -> None:
        """Store rankings, and the systems that made them. What the pool lacks may be left out."""
        topics = pks_of(self._corpus.topics.all(), (row.topic for _, row in rows))
        pool = Passage.objects.filter(
            topic__in=set(topics.values()), key__in={row.passage for _, row in rows}
        )
        passages = {row[:2]: row[2] for row in pool.values_list("topic_id", "key", "pk")}
        systems = self._systems_of(row.system for _, row in rows)
        wanted: dict[object, tuple[FileLine, Ranking]] = {}
        ranked: set[int] = set()
        for line, row in rows:
            topic = topics.get(row.topic, 0)
            passage = passages.get((topic, row.passage))
            if not self._is_first_ranked(line, row):
                continue
            if row.rank == 0:
                self._keeps_rank_0(line)
                continue
            if passage is None:
                self._report_unranked(line, row, is_topic_known=bool(topic))
                continue
            system = systems[row.system]
            ranked.add(passage)
            wanted[system, passage] = (
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
        new = self._new(RowKind.RANKINGS, wanted, stored, ("system_id", "passage_id"), same)
        self._create(RowKind.RANKINGS, self._with_free_place(new))

    def _systems_of(self, names: Iterable[str]) -> dict[str, int]:
        """Return the systems of these keys; missing ones are created."""
        keys = dict.fromkeys(names)
        stored = pks_of(self._corpus.systems.all(), keys)
        missing = [
            System(corpus=self._corpus, key=key, name=key) for key in keys if key not in stored
        ]
        System.objects.bulk_create(missing)
        if missing:
            self._report.added[RowKind.SYSTEMS.value] += len(missing)
        return stored | {system.key: system.pk for system in missing}

    def _is_first_ranked(self, line: FileLine, row: RankingRow) -> bool:
        scope = f"{row.system}\0{row.topic}"
        for field, key in (("passage", row.passage), ("rank", str(row.rank))):
            before = self._ledger.first(line=line, kind=f"ranked {field}", scope=scope, key=key)
            if before:
                if field == "rank":
                    self._report.note_twice_ranked(line.file, row.rank)
                ranking = gettext("the ranking of {system!r} for topic {topic!r}").format(
                    system=row.system, topic=row.topic
                )
                self._refuse(
                    line,
                    field,
                    gettext("{key!r} is a duplicate in {ranking}, first seen in {before}").format(
                        key=key, ranking=ranking, before=before.place
                    ),
                    code=Problem.DUPLICATE_ID,
                )
                return False
        return True

    def _report_unranked(self, line: FileLine, row: RankingRow, *, is_topic_known: bool) -> None:
        field, key = ("passage", row.passage) if is_topic_known else ("topic", row.topic)
        scope = row.topic if is_topic_known else ""
        cause = self._ledger.cause(field, scope, key)
        if self._drops_unranked and not cause:
            self._report.warn(line.bad(field, gettext("{key!r} not found").format(key=key)))
        else:
            self._refuse_missing(line, field, key, cause=cause)

    def _with_free_place(
        self, new: list[tuple[FileLine, Ranking]]
    ) -> list[tuple[FileLine, Ranking]]:
        """Leave out rankings that take the rank of another passage in the same list."""
        stored = Ranking.objects.filter(
            system__in={ranking.system_id for _, ranking in new},
            topic__in={ranking.topic_id for _, ranking in new},
            rank__in={ranking.rank for _, ranking in new},
        )
        places = stored.values_list("system_id", "topic_id", "rank", "passage__key")
        key_by_place = {(system, topic, rank): key for system, topic, rank, key in places}
        free = []
        for line, ranking in new:
            if key := key_by_place.get((ranking.system_id, ranking.topic_id, ranking.rank)):
                self._refuse(
                    line,
                    "rank",
                    gettext("{rank} already belongs to passage {key!r}").format(
                        rank=ranking.rank, key=key
                    ),
                )
            else:
                free.append((line, ranking))
        return free

    def _create(self, kind: RowKind, new: list[tuple[FileLine, M]]) -> list[tuple[FileLine, M]]:
        """Store records, but those of rows that are skipped; return the stored ones."""
        new = [(line, m) for line, m in new if line.identity not in self._skipped]
        if new:
            insert_all(m for _, m in new)
            self._report.added[kind.value] += len(new)
        for line, _ in new:
            self._keys.pop(line.identity, None)
        return new
