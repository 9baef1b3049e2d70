"""Evidence for the rows of a work list: graded texts, systems and new entries."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from analysis.inputs.bank_grades import GradeVote, votes_on_texts
from analysis.pages.banks.work_lists import MOST_TEXTS, Findings, WorkLists, WorkRow
from annotation.corpora.text_names import names_of_passages, names_of_responses
from annotation.models import Passage, Response, System, Topic
from judging.banks import listing
from judging.banks.listing import ListedEntry
from judging.models import Bank, BankEntry, EntryDecision

COLUMNS = ("pk", "key", "topic", "text")


@dataclass(frozen=True)
class TextEvidence:
    """A text with the grades of people and models, and its judgment if it has one.

    In the row of a passage, `entry` is the graded entry.
    """

    key: str
    name: str
    topic: int
    passage: int | None
    response: int | None
    text: str
    judgment: int | None
    people: list[float]
    models: list[float]
    entry: ListedEntry | None = None


@dataclass(frozen=True)
class ShownRow:
    """A row of a work list on its page; `more` counts the texts that are not listed."""

    work: WorkRow
    topic: Topic
    row: ListedEntry | None
    texts: list[TextEvidence]
    more: int
    systems: list[str] = field(default_factory=list)
    made: list[ListedEntry] = field(default_factory=list)  # from the passage of the row


def shown_rows(
    lists: WorkLists, rows: Sequence[WorkRow], *, secrets: bool, systems: bool
) -> list[ShownRow]:
    """Return the rows with their evidence. Without `secrets`, secret entries have no text."""
    evidence = _EntryEvidence(lists.bank, lists.findings, rows, secrets=secrets)
    return [evidence.shown(work, systems=systems) for work in rows]


class _EntryEvidence:
    def __init__(
        self, bank: Bank, findings: Findings, rows: Sequence[WorkRow], *, secrets: bool
    ) -> None:
        self.findings = findings
        self.topics = Topic.objects.in_bulk([work.topic for work in rows])
        ids = {text for work in rows for text in work.texts}
        self.texts = _texts(ids)
        self.names = _names(ids)
        keys = {work.entry.key for work in rows if work.entry}
        of_entries = len(keys) == len(rows)  # the row of a passage lists entries instead
        self.votes = defaultdict[tuple[str, str], list[GradeVote]](list)
        self.by_text = defaultdict[str, dict[str, list[float]]](lambda: defaultdict(list))
        for vote in votes_on_texts(bank, ids):
            if vote.entry in keys or not of_entries:
                self.votes[vote.entry, vote.passage].append(vote)
                self.by_text[vote.passage][vote.entry].append(vote.score)
        made = _made_from([work.texts[0] for work in rows if work.entry is None])
        graded = BankEntry.objects.filter(bank=bank, key__in={key for key, _ in self.votes})
        pks = [work.entry.pk for work in rows if work.entry]
        pks += [pk for found in made.values() for pk in found]
        pks += list(graded.values_list("pk", flat=True)) if made or not pks else []
        listed = listing.listed(bank, list(dict.fromkeys(pks)), secrets=secrets)
        self.entries = {row.entry.pk: row for row in listed}
        self.by_key = {row.entry.key: row for row in listed}
        self.made = made
        systems = System.objects.filter(corpus=bank.corpus_id)
        self.systems = dict(systems.values_list("key", "name"))

    def shown(self, work: WorkRow, *, systems: bool) -> ShownRow:
        entry = self.entries[work.entry.pk] if work.entry else None
        if entry is not None:
            texts = [self._text(text, entry.entry.key) for text in work.texts]
        else:
            texts = self._best_entries(work.texts[0])
        made = self.made.get(work.texts[0], []) if entry is None else []
        return ShownRow(
            work=work,
            topic=self.topics[work.topic],
            row=entry,
            texts=texts,
            more=work.n - len(work.texts),
            systems=self._covering(work) if systems else [],
            made=[self.entries[pk] for pk in made if pk in self.entries],
        )

    def _text(self, text: str, key: str, entry: ListedEntry | None = None) -> TextEvidence:
        pk, key_of_text, topic, words = self.texts[text]
        votes = self.votes.get((key, text), [])
        is_passage = text.startswith("p")
        return TextEvidence(
            key=key_of_text,
            name=self.names[text],
            topic=topic,
            passage=pk if is_passage else None,
            response=None if is_passage else pk,
            text=words,
            judgment=self.findings.judged.get(text),
            people=[vote.score for vote in votes if vote.is_person],
            models=[vote.score for vote in votes if not vote.is_person],
            entry=entry,
        )

    def _best_entries(self, text: str) -> list[TextEvidence]:
        """Return the entries on which a passage has its highest grades."""
        grades = self.by_text.get(text, {})
        best = sorted(grades, key=lambda key: (-fmean(grades[key]), key))
        keys = [key for key in best if key in self.by_key][:MOST_TEXTS]
        return [self._text(text, key, self.by_key[key]) for key in keys]

    def _covering(self, work: WorkRow) -> list[str]:
        key = work.entry.key if work.entry else ""
        return [self.systems.get(name, name) for name in self.findings.covering.get(key, [])]


def _names(ids: set[str]) -> dict[str, str]:
    kinds = (("p", names_of_passages), ("r", names_of_responses))
    return {
        f"{letter}{pk}": name
        for letter, names_of in kinds
        for pk, name in names_of(int(text[1:]) for text in ids if text[0] == letter).items()
    }


def _texts(ids: set[str]) -> dict[str, tuple[int, str, int, str]]:
    texts: dict[str, tuple[int, str, int, str]] = {}
    models: tuple[tuple[str, Any], ...] = (("p", Passage), ("r", Response))
    for letter, model in models:
        pks = [int(text[1:]) for text in ids if text.startswith(letter)]
        for row in model.objects.filter(pk__in=pks).values_list(*COLUMNS):
            texts[f"{letter}{row[0]}"] = row
    return texts


def _made_from(texts: Sequence[str]) -> dict[str, list[int]]:
    """Return the entries that were written from each passage and are in use."""
    made: dict[str, list[int]] = defaultdict(list)
    pks = [int(text[1:]) for text in texts if text.startswith("p")]
    rows = listing.newest().filter(entry__passage__in=pks)
    rows = rows.exclude(state=EntryDecision.State.RETIRED).order_by("entry")
    for passage, entry in rows.values_list("entry__passage", "entry"):
        made[f"p{passage}"].append(entry)
    return made
