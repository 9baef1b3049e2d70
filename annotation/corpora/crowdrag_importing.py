"""The texts of the Crowd RAG Corpus 2025, which studies draw from."""

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from django.db import connection, transaction
from django.db.models import Model

from annotation.bulk_inserting import point_all
from annotation.corpora import crowdrag
from annotation.corpora.corpus_files import CorpusFile
from annotation.corpora.importing import import_corpus
from annotation.corpora.mapping import Columns
from annotation.corpora.rows import CitationsFrom
from annotation.corpora.schema import RowKind, fields_of
from annotation.models import Corpus, Response, Worker
from annotation.people.pseudonyms import workers_for

CORPUS = "crowdrag25"
PLATFORM = "crowdrag25"
SEED = 2025
CONTACT = "Gienapp et al., SIGIR 2025 (imported from the published corpus)."

# Its texts cite as those of our editor do.
AS_OUR_EDITOR_WRITES = Columns(
    ours={name: name for name in fields_of(RowKind.RESPONSES)},
    fixed={"citations_from": CitationsFrom.EDITOR.value},
)

Step = Callable[[str, int], None]  # what is done now, and how much of it since the last call
Note = Callable[[crowdrag.History], None]


@dataclass
class CrowdragReport:
    """Counts of added and unchanged rows, and the rules of ours that the corpus breaks."""

    added: Counter[str] = field(default_factory=Counter)
    unchanged: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)


def import_texts(
    *, folder: Path, report: CrowdragReport, step: Step, note: Note | None = None
) -> Corpus:
    """Topics, passages, the submitted texts with their writers, and those of the systems.

    Raises BadCorpus or ImportRefused. What is there already is compared and stays. `note` is
    called with the snapshots of each text, which are too large to keep.
    """
    path = folder / crowdrag.HUMAN
    texts = crowdrag.submitted_texts(path, lambda n: step("snapshots", n), note)
    with tempfile.TemporaryDirectory() as scratch:
        human = Path(scratch) / "submitted_texts.jsonl"
        with human.open("w") as file:
            for snapshot in texts.values():
                row = {
                    "response": snapshot.response,
                    "topic": snapshot.topic,
                    "style": snapshot.style,
                    "text": snapshot.text or " ",
                    "citations_from": CitationsFrom.EDITOR,
                }
                file.write(json.dumps(row | {"origin": "human"}) + "\n")
        imported = import_corpus(
            slug=CORPUS,
            name="Crowd RAG Corpus 2025",
            licence="CC BY 4.0",
            files=[
                CorpusFile(folder / crowdrag.RETRIEVAL),
                CorpusFile(human, kind=RowKind.RESPONSES, name="the last snapshots.jsonl"),
                CorpusFile(
                    folder / crowdrag.LLM, kind=RowKind.RESPONSES, columns=AS_OUR_EDITOR_WRITES
                ),
            ],
            origin="llm",
            unknown_citations="report",
        )
    report.added.update(imported.added)
    report.unchanged.update(imported.unchanged)
    report.notes += [f"imported without the citation: {warning}" for warning in imported.warnings]
    corpus = Corpus.objects.get(slug=CORPUS)
    _authors(corpus, folder)
    return corpus


def _authors(corpus: Corpus, folder: Path) -> None:
    tasks = crowdrag.rows(folder / crowdrag.TASKS, crowdrag.WrittenTask)
    note_authors(corpus, {task.response: task.worker for task in tasks})


def note_authors(corpus: Corpus, written_by: Mapping[str, str]) -> None:
    """Note who wrote what, by the pseudonyms of the corpus: nobody is to judge an own text."""
    writers = workers_of(sorted(set(written_by.values())))
    responses = [
        response
        for response in Response.objects.filter(
            corpus=corpus, key__in=written_by, author=None
        ).defer("text")
    ]
    for response in responses:
        response.author = writers[written_by[response.key]]
    point_all(responses, "author")


def workers_of(keys: Iterable[str]) -> dict[str, Worker]:
    """Return the workers of pseudonyms in the corpus, which stay their pseudonyms here."""
    return workers_for(platform=PLATFORM, external_ids=keys)


def take_stock(written: Iterable[type[Model]]) -> None:
    """Update the planner's statistics of the tables that an import has written.

    Rows of an open transaction are invisible to autovacuum, so queries would be planned for
    empty tables. Other tables are left alone, because ANALYZE locks them until the end.
    """
    with connection.cursor() as cursor:
        for model in written:
            cursor.execute(f"ANALYZE {connection.ops.quote_name(model._meta.db_table)}")


@contextmanager
def all_or_nothing() -> Iterator[None]:
    """Open a transaction without savepoints, which would cost a quarter of an import's queries."""
    with transaction.atomic():
        uses_savepoints = connection.features.uses_savepoints
        connection.features.uses_savepoints = False
        try:
            yield
        finally:
            connection.features.uses_savepoints = uses_savepoints
