"""Bring topics, passages, systems and responses into a corpus: everything, or nothing."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from typing import Literal

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext

from annotation.corpora.corpus_files import CorpusFile
from annotation.corpora.images import storing
from annotation.corpora.import_report import ImportReport, KeyLedger
from annotation.corpora.label_store import LabelStore
from annotation.corpora.parts import parts_of
from annotation.corpora.readers import FileReading, UnreadableFile, reading, with_kind
from annotation.corpora.remedies import USUAL, RemedyChoices
from annotation.corpora.resolving import FORMS
from annotation.corpora.schema import BadLine, FileLine, RowKind
from annotation.corpora.writer import Store, Unknown
from annotation.models import Corpus, Origin
from annotation.people.access import sharing
from annotation.refusals import Refusal

# Rows of these name topics, which a table of answers may bring.
POOL = (RowKind.PASSAGES, RowKind.DOCUMENTS, RowKind.RANKINGS)
MOST_ROWS = 500  # in a batch
MOST_WEIGHT = 2_000_000  # characters in a batch: long texts make small batches

Progress = Callable[[str, int, int], None]  # the file, bytes read, number of the last row


class ImportRefused(Refusal):
    """Raised inside the transaction, so that nothing stays; carries the report."""

    status = 400

    def __init__(self, report: ImportReport) -> None:
        count = report.bad_line_count
        lines = (
            gettext("1 row has a problem")
            if count == 1
            else gettext("{count:,} rows have problems").format(count=count)
        )
        super().__init__(
            sentence=gettext("Nothing was imported into {corpus}: {lines}.").format(
                corpus=report.corpus, lines=lines
            )
        )
        self.report = report


def import_corpus(
    *,
    slug: str,
    name: str,
    files: Iterable[CorpusFile],
    licence: str = "",
    origin: str | None = None,
    origins: Mapping[str, str] | None = None,
    unknown_citations: Unknown = "refuse",
    unknown_passages: Unknown = "refuse",
    unknown_systems: Literal["refuse", "make"] = "refuse",
    degraded_copies: bool = False,
    choices: RemedyChoices = USUAL,
    citation_forms: Collection[str] = FORMS,
    progress: Progress | None = None,
    owners: Iterable[User] = (),
    tell: Callable[[BadLine], None] | None = None,
    is_new: bool = False,
    images: Iterable[tuple[str, bytes]] = (),
) -> ImportReport:
    """Import files into the corpus `slug`, which is made if it is not there.

    1. Every file's kind is recognised, so that topics come before what needs them.
    2. Each row is checked, then compared with the row that has its key: equal rows change nothing.
       What a row does not state (a missing title, say) is not compared.
    3. If any line was bad ImportRefused is raised, and the corpus is as it was.

    `origin` is for responses for which neither row nor system states one, `origins` the same for
    those of each system. An empty `name` keeps
    the name of the corpus; a new corpus is then named like its slug.

    `unknown_passages` is for rankings of passages that the pool does not have: a run is deep.
    `unknown_systems` is for responses of systems that no row describes: "make" names them by key.
    With `degraded_copies` each structured summary brings its copies NoHeadings and NoSection1.
    `citation_forms` are the kinds of marks that count as citations (resolving.FORMS, OPTIONAL).
    `choices` say what becomes of rows with problems, in the check as in the import.
    `owners` own the corpus if it is new.

    `images` are files beside the texts, by name; those within texts are stored, too.

    `tell` hears of every bad line; the report holds the first. With `is_new` nothing goes into a
    corpus that is there.

    Memory stays constant: rows go through in batches, what is already there is looked up in the
    database, and the keys of the upload are kept in a ledger on disk.
    """
    report = ImportReport(corpus=slug, tell=tell)
    files = [replace(file, choices=choices) for file in files]
    with transaction.atomic(), closing(KeyLedger()) as ledger:
        corpus = _corpus(slug=slug, name=name, licence=licence, report=report, is_new=is_new)
        sharing.begin(of=corpus, owners=owners)
        before = storing.last_texts(corpus)
        labels = LabelStore(report)
        store = Store(
            corpus=corpus,
            ledger=ledger,
            report=report,
            choices=choices,
            origin=Origin(origin) if origin else None,
            origins={system: Origin(author) for system, author in (origins or {}).items()},
            unknown_citations=unknown_citations,
            unknown_passages=unknown_passages,
            unknown_systems=unknown_systems,
            degraded_copies=degraded_copies,
            forms=citation_forms,
        )
        for file in _in_order(files, store.refuse):
            with reading(file) as lines:
                lines.keep_label = labels.keeper(file.label)
                if file.only_topics:  # its bad lines are named when it is read for its answers
                    unheard = ImportReport(corpus=slug, formulas=report.formulas)
                    for batch in _batches(lines, unheard, unheard.refuse):
                        store.take_topics(batch)
                    continue
                for batch in _batches(lines, report, store.refuse):
                    store.take(batch)
                    if progress:
                        progress(file.label, lines.position(), _last_row(batch))
        if report.bad_line_count:
            raise ImportRefused(report)
        report.images = storing.store_images(corpus=corpus, after=before, files=images)
        labels.store(corpus)
    return report


def _last_row(batch: list[FileLine]) -> int:
    return (batch[-1].row_number or batch[-1].number) if batch else 0


def _corpus(*, slug: str, name: str, licence: str, report: ImportReport, is_new: bool) -> Corpus:
    """Return the corpus, locked: a second import into it waits for this one."""
    wanted = Corpus(slug=slug, name=name or slug, licence=licence)
    try:
        wanted.clean_fields()
    except ValidationError as error:
        for attribute, reasons in error.message_dict.items():
            report.refuse(BadLine("corpus", 0, attribute, " ".join(reasons)))
        raise ImportRefused(report) from error
    defaults = {"name": wanted.name, "licence": licence}
    corpus, is_made = Corpus.objects.get_or_create(slug=slug, defaults=defaults)
    if is_new and not is_made:
        reason = gettext("{slug!r} already exists").format(slug=slug)
        report.refuse(BadLine("corpus", 0, "name", reason))
        raise ImportRefused(report)
    if corpus.deleted_at:
        report.refuse(
            BadLine("corpus", 0, "", gettext("has been deleted: restore it or choose another"))
        )
        raise ImportRefused(report)
    for attribute, value in (("name", name), ("licence", licence)):
        stored = getattr(corpus, attribute)
        if not is_made and value and value != stored:
            reason = gettext("is {stored!r} in the corpus, not {value!r}").format(
                stored=stored, value=value
            )
            report.refuse(BadLine("corpus", 0, attribute, reason))
    return Corpus.objects.select_for_update().get(pk=corpus.pk)


def _in_order(files: Iterable[CorpusFile], refuse: Callable[[BadLine], None]) -> list[CorpusFile]:
    """Return the files in the order in which their rows build on each other."""
    recognised_files = []
    for file in files:
        try:
            recognised_files += parts_of(with_kind(file))
        except UnreadableFile as refusal:
            refuse(refusal.bad_line)
    recognised_files = [_with_joined(file, recognised_files) for file in recognised_files]
    if any(file.kind in POOL for file in recognised_files):
        recognised_files += [
            replace(file, only_topics=True)
            for file in recognised_files
            if file.kind is RowKind.TABLE
        ]
    order = list(RowKind)
    return sorted(recognised_files, key=lambda file: _place(file, order))


def _with_joined(file: CorpusFile, files: Iterable[CorpusFile]) -> CorpusFile:
    """Return the file with those that the reader of its format needs."""
    if not file.format or not file.format.joins:
        return file
    joined = (other for other in files if other.format and other.format.name == file.format.joins)
    return replace(file, joined=tuple(joined))


def _place(file: CorpusFile, order: list[RowKind]) -> int:
    if file.only_topics:
        return order.index(RowKind.TOPICS)
    return order.index(file.kind) if file.kind else len(order)


def _batches(
    lines: FileReading, report: ImportReport, refuse: Callable[[BadLine], None]
) -> Iterator[list[FileLine]]:
    """Yield the good lines in batches; the bad ones are refused."""
    batch: list[FileLine] = []
    weight = 0
    line: FileLine | BadLine | None = None
    row_count = 0
    for line in lines:
        row_count += 1
        if isinstance(line, BadLine):
            refuse(line)
            continue
        batch.append(line)
        report.formulas.note(line)
        weight += line.row.weigh()
        if len(batch) >= MOST_ROWS or weight >= MOST_WEIGHT:
            yield batch
            batch, weight = [], 0
    if batch:
        yield batch
    report.unread += lines.unread
    report.left_out += lines.left_out
    report.note_read(lines.label, rows=row_count, empty_rows=lines.empty_rows)
    if line is None and lines.kind is None:
        report.refuse(BadLine(lines.label, 1, "", gettext("is empty")))
