"""Entries for the page of a bank: filters, paging and similar entries."""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from annotation.models import Corpus, Topic
from judging.banks.deciding import KEPT
from judging.banks.entries_at import EntryAt, entries_at
from judging.banks.secrets import masked, secret_entries
from judging.models import Bank, BankEntry, EntryDecision
from judging.queries.similarity import QueryIndex, SimilarQuery
from judging.raters.cells import counting_on, entry_keys

State = EntryDecision.State
MOST_COMPARED = 1_000  # entries per topic


@dataclass(frozen=True)
class EntryFilter:
    """Filter of the page. An empty state matches all entries that are not retired."""

    state: str = ""
    importance: str = ""
    topic: int | None = None
    words: str = ""

    def __bool__(self) -> bool:
        return self != EntryFilter()


@dataclass(frozen=True)
class ListedEntry:
    """An entry with its number of grades and the most similar earlier entry of its topic.

    `before` is the wording that this entry replaced.
    """

    entry: EntryAt
    topic: Topic
    like: SimilarQuery | None
    grades: int
    before: str
    decided_by: str

    @property
    def shown(self) -> str:
        """The form value of this row: the entry and the revision of its newest decision."""
        return f"{self.entry.pk}:{self.entry.revision}"

    @property
    def is_kept(self) -> bool:
        """True if the newest decision left the entry unchanged."""
        return self.entry.reason.startswith(KEPT)

    @property
    def can_undo(self) -> bool:
        """True if the newest decision was made by a person."""
        return self.entry.decided_by_id is not None


def newest() -> "QuerySet[EntryDecision]":
    """Return the newest decision on each entry."""
    later = EntryDecision.objects.filter(entry=OuterRef("entry"), revision__gt=OuterRef("revision"))
    return EntryDecision.objects.filter(~Exists(later))


def matching(
    bank: Bank, narrowed: EntryFilter, *, secrets: bool = True
) -> "QuerySet[EntryDecision]":
    """Return the newest decisions on the entries that match a filter, ordered by topic.

    Without `secrets`, a text search skips secret entries.
    """
    rows = newest().filter(bank=bank)
    if narrowed.words and not secrets:
        rows = rows.exclude(entry__in=secret_entries(bank))
    if narrowed.state in State.values:
        rows = rows.filter(state=narrowed.state)
    elif narrowed.state != "all":
        rows = rows.exclude(state=State.RETIRED)
    if narrowed.importance == "none":
        rows = rows.filter(importance="")
    elif narrowed.importance:
        rows = rows.filter(importance=narrowed.importance)
    if narrowed.topic is not None:
        rows = rows.filter(entry__topic=narrowed.topic)
    for word in narrowed.words.split():
        rows = rows.filter(
            Q(entry__text__icontains=word)
            | Q(entry__topic__query__icontains=word)
            | Q(entry__topic__key__icontains=word)
        )
    return rows.order_by("entry__topic_id", "entry_id")


def state_counts(corpus: Corpus) -> dict[int, Counter[str]]:
    """Return the number of entries per state for each bank."""
    rows = newest().filter(bank__corpus=corpus).order_by().values("bank", "state")
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    for row in rows.annotate(n=Count("pk")):
        counts[row["bank"]][row["state"]] = row["n"]
    return counts


def topics_of(bank: Bank, *, most: int) -> list[Topic]:
    """Return at most `most` topics with entries."""
    entries = BankEntry.objects.filter(bank=bank, topic=OuterRef("pk"))
    return list(Topic.objects.filter(Exists(entries)).order_by("pk")[:most])


def listed(bank: Bank, pks: Sequence[int], *, secrets: bool = True) -> list[ListedEntry]:
    """Return entries in the given order. Without `secrets`, the text of secret ones is empty."""
    found = entries_at(bank, entries=pks) if pks else []
    rows = {row.pk: row for row in (found if secrets else masked(bank, found))}
    topics = Topic.objects.in_bulk({row.topic_id for row in rows.values()})
    like = _similar(bank, rows.values()) if secrets else {}
    grades = grades_of(bank, [row.key for row in rows.values()])
    replaced = {row.replaces_id for row in rows.values() if row.replaces_id}
    before = dict(BankEntry.objects.filter(pk__in=replaced).values_list("pk", "text"))
    people = _names(bank, rows)
    return [
        ListedEntry(
            row,
            topics[row.topic_id],
            like.get(pk),
            grades[row.key],
            before.get(row.replaces_id or 0, "") if secrets else "",
            people.get(row.decided_by_id or 0, ""),
        )
        for pk in pks
        if (row := rows.get(pk))
    ]


def grades_of(bank: Bank, keys: Collection[str]) -> Counter[str]:
    """Return the number of grades of each entry over all studies that use the bank."""
    criteria = {pk: key for pk, key in entry_keys(bank).items() if key in set(keys)}
    rows = counting_on(bank, criteria).order_by().values_list("item__slots__criterion")
    counts: Counter[str] = Counter()
    for criterion, n in rows.annotate(n=Count("pk")):
        counts[criteria[criterion]] += n
    return counts


def _similar(bank: Bank, rows: Collection[EntryAt]) -> dict[int, SimilarQuery]:
    """Return the most similar earlier entry of each entry, ignoring retired ones."""
    wanted = {row.pk for row in rows if row.state != State.RETIRED}
    texts: dict[int, list[tuple[int, str]]] = defaultdict(list)
    others = newest().filter(bank=bank, entry__topic__in={row.topic_id for row in rows})
    columns = ("entry__topic_id", "entry_id", "entry__text")
    for topic, pk, text in (
        others.exclude(state=State.RETIRED).order_by("entry_id").values_list(*columns)
    ):
        texts[topic].append((pk, text))
    like: dict[int, SimilarQuery] = {}
    for entries in texts.values():
        index = QueryIndex()
        for pk, text in entries[:MOST_COMPARED]:
            if pk in wanted and (similar := index.like(text)):
                like[pk] = similar
            index.add(str(pk), text)
    return like


def _names(bank: Bank, entries: Collection[int]) -> dict[int, str]:
    decisions = EntryDecision.objects.filter(bank=bank, entry__in=entries).exclude(by=None)
    return dict(decisions.order_by().values_list("by", "by__username").distinct())
