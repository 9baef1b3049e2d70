"""Bring topics, passages, systems and responses into a corpus: everything, or nothing.

Memory stays constant: rows go through in batches, what is already there is looked up in the
database, and the keys of this upload are kept in a ledger on disk. Only the few systems that state
an origin are remembered.
"""

import sqlite3
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from operator import attrgetter
from typing import Any, Literal, TypeVar

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max, Model, QuerySet

from annotation.citations import cited_numbers
from annotation.formats import CorpusFile, Reading, Unreadable, reading, with_kind
from annotation.models import Citation, Corpus, Origin, Passage, Response, System, Topic
from annotation.refusals import Refusal
from annotation.rows import (
    BadLine,
    Kind,
    Line,
    PassageRow,
    ResponseRow,
    RetrievalRow,
    Row,
    SystemRow,
    TopicRow,
)

MOST_ROWS = 500  # in a batch
MOST_WEIGHT = 2_000_000  # characters in a batch: long texts make small batches
MOST_SHOWN = 1_000  # bad lines, and warnings, that a report holds; all are counted

UnknownCitations = Literal["refuse", "report"]
Progress = Callable[[str, int], None]  # the file, and how many of its bytes are read
M = TypeVar("M", bound=Model)
R = TypeVar("R", bound=Row)


@dataclass
class ImportReport:
    """What an upload brought, by kind of row, and every line that could not be taken."""

    corpus: str
    added: Counter[str] = field(default_factory=Counter)
    unchanged: Counter[str] = field(default_factory=Counter)
    bad_lines: list[BadLine] = field(default_factory=list)
    bad_line_count: int = 0
    warnings: list[BadLine] = field(default_factory=list)
    warning_count: int = 0

    def refuse(self, bad_line: BadLine) -> None:
        """Count a bad line, and hold it if there is room."""
        self.bad_line_count += 1
        if len(self.bad_lines) < MOST_SHOWN:
            self.bad_lines.append(bad_line)

    def warn(self, warning: BadLine) -> None:
        """Count a warning, and hold it if there is room."""
        self.warning_count += 1
        if len(self.warnings) < MOST_SHOWN:
            self.warnings.append(warning)


class ImportRefused(Refusal):
    """Raised inside the transaction, so that nothing stays; carries the report."""

    status = 400

    def __init__(self, report: ImportReport) -> None:
        count = report.bad_line_count
        lines = "1 line is bad" if count == 1 else f"{count:,} lines are bad"
        super().__init__(f"Nothing was imported into {report.corpus}: {lines}.")
        self.report = report


def import_corpus(
    *,
    slug: str,
    name: str,
    files: Iterable[CorpusFile],
    licence: str = "",
    origin: str | None = None,
    unknown_citations: UnknownCitations = "refuse",
    progress: Progress | None = None,
) -> ImportReport:
    """Import files into the corpus `slug`, which is made if it is not there.

    1. Every file's kind is recognised, so that topics come before what needs them.
    2. Each row is checked, then compared with the row that has its key: equal rows change nothing.
       What a row does not state (a missing title, say) is not compared.
    3. If any line was bad ImportRefused is raised, and the corpus is as it was.

    `origin` is for responses for which neither row nor system states one. An empty `name` keeps
    the name of the corpus; a new corpus is then named like its slug.
    """
    report = ImportReport(corpus=slug)
    with transaction.atomic(), closing(Ledger()) as ledger:
        corpus = _corpus(slug=slug, name=name, licence=licence, report=report)
        run = _Import(
            corpus=corpus,
            ledger=ledger,
            report=report,
            origin=Origin(origin) if origin else None,
            unknown_citations=unknown_citations,
            progress=progress or (lambda _label, _position: None),
        )
        for file in _in_order(files, report):
            run.read(file)
        if report.bad_line_count:
            raise ImportRefused(report)
    return report


def _corpus(*, slug: str, name: str, licence: str, report: ImportReport) -> Corpus:
    """Return the corpus, locked: a second import into it waits for this one."""
    wanted = Corpus(slug=slug, name=name or slug, licence=licence)
    try:
        wanted.clean_fields()
    except ValidationError as error:
        for attribute, reasons in error.message_dict.items():
            report.refuse(BadLine("corpus", 0, attribute, " ".join(reasons)))
        raise ImportRefused(report) from error
    defaults = {"name": wanted.name, "licence": licence}
    corpus, is_new = Corpus.objects.get_or_create(slug=slug, defaults=defaults)
    if not is_new:
        for attribute, value in (("name", name), ("licence", licence)):
            if value and value != (stored := getattr(corpus, attribute)):
                reason = f"is {stored!r} for the corpus {slug} that is there, not {value!r}"
                report.refuse(BadLine("corpus", 0, attribute, reason))
    return Corpus.objects.select_for_update().get(pk=corpus.pk)


def _in_order(files: Iterable[CorpusFile], report: ImportReport) -> list[CorpusFile]:
    """Return the files in the order in which their rows build on each other."""
    known = []
    for file in files:
        try:
            known.append(with_kind(file))
        except Unreadable as refusal:
            report.refuse(refusal.bad_line)
    order = list(Kind)
    return sorted(known, key=lambda file: order.index(file.kind) if file.kind else len(order))


class Ledger:
    """Where each key of this upload was first given: a private SQLite file, gone when closed."""

    def __init__(self) -> None:
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.execute("PRAGMA journal_mode=OFF")
        self._db.execute(
            "CREATE TABLE given (kind, scope, key, file, line, PRIMARY KEY (kind, scope, key))"
            " WITHOUT ROWID"
        )
        self._db.execute("BEGIN")  # one transaction: nothing here is ever kept

    def first(self, *, line: Line, kind: str, scope: str, key: str) -> str:
        """Note where a key is given; return where it was given before, or nothing."""
        row = (kind, scope, key, line.file, line.number)
        if self._db.execute("INSERT OR IGNORE INTO given VALUES (?, ?, ?, ?, ?)", row).rowcount:
            return ""
        query = "SELECT file, line FROM given WHERE kind = ? AND scope = ? AND key = ?"
        file, number = self._db.execute(query, row[:3]).fetchone()
        return f"{file}:{number}"

    def close(self) -> None:
        self._db.close()


def _of_kind(batch: Iterable[Line], kind: type[R]) -> Iterator[tuple[Line, R]]:
    for line in batch:
        if isinstance(line.row, kind):
            yield line, line.row


def _keyed(objects: "QuerySet[Any]", keys: Iterable[str]) -> dict[str, int]:
    """Return the primary keys of what is there, by key."""
    return dict(objects.filter(key__in=set(keys)).values_list("key", "pk"))


@dataclass
class _Import:
    """One upload under way."""

    corpus: Corpus
    ledger: Ledger
    report: ImportReport
    origin: Origin | None
    unknown_citations: UnknownCitations
    progress: Progress
    origins: dict[str, Origin] = field(default_factory=dict)  # stated by systems

    def read(self, file: CorpusFile) -> None:
        """Take a file in batches; bad lines are noted and passed over."""
        with reading(file) as lines:
            for batch in self._batches(lines):
                self._take(batch)
                self.progress(file.label, lines.position())
            self.progress(file.label, lines.position())

    def _batches(self, lines: Reading) -> Iterator[list[Line]]:
        batch: list[Line] = []
        weight = 0
        line: Line | BadLine | None = None
        for line in lines:
            if isinstance(line, BadLine):
                self.report.refuse(line)
                continue
            batch.append(line)
            weight += line.row.weigh()
            if len(batch) >= MOST_ROWS or weight >= MOST_WEIGHT:
                yield batch
                batch, weight = [], 0
        if batch:
            yield batch
        if line is None and lines.kind is None:
            self.report.refuse(BadLine(lines.label, 1, "", "is empty"))

    def _take(self, batch: list[Line]) -> None:
        """Store a batch; a retrieval row is a topic and its passages."""
        self._topics(batch)
        self._topics(
            [line._replace(row=row.topic_row()) for line, row in _of_kind(batch, RetrievalRow)]
        )
        self._passages(batch)
        self._passages(
            [
                line._replace(row=passage)
                for line, row in _of_kind(batch, RetrievalRow)
                for passage in row.passage_rows()
            ]
        )
        self._systems(batch)
        self._responses(batch)

    # -- Each kind
    def _topics(self, batch: list[Line]) -> None:
        given: dict[object, tuple[Line, Topic]] = {}
        for line, row in _of_kind(batch, TopicRow):
            if self._is_first(line, "topic", row.topic):
                description = row.description or ""
                given[row.topic] = (
                    line,
                    Topic(
                        corpus=self.corpus,
                        key=row.topic,
                        query=row.query,
                        description=description,
                    ),
                )
        new = self._new(
            Kind.TOPICS,
            given,
            Topic.objects.filter(corpus=self.corpus, key__in=given),
            key=attrgetter("key"),
            stated={"query": "query", "description": "description"},
        )
        self._create(Kind.TOPICS, Topic, new)

    def _passages(self, batch: list[Line]) -> None:
        rows = list(_of_kind(batch, PassageRow))
        topics = _keyed(self.corpus.topics, (row.topic for _, row in rows))
        given: dict[object, tuple[Line, Passage]] = {}
        for line, row in rows:
            if self._is_there(line, "topic", row.topic, topics) and self._is_first_in_topic(
                line, row
            ):
                passage = Passage(
                    topic_id=topics[row.topic],
                    key=row.passage,
                    rank=row.rank,
                    title=row.title or "",
                    text=row.text,
                )
                given[passage.topic_id, passage.key] = (line, passage)
        keys = {passage.key for _, passage in given.values()}
        new = self._new(
            Kind.PASSAGES,
            given,
            Passage.objects.filter(topic__in=set(topics.values()), key__in=keys),
            key=attrgetter("topic_id", "key"),
            stated={"rank": "rank", "title": "title", "text": "text"},
        )
        self._create(Kind.PASSAGES, Passage, self._with_free_rank(new))
