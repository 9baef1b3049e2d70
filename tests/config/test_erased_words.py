"""Erased data leave every table and every file, however they were erased.

The kinds of erasure are in erasures.py. The last test finds code that deletes rows
and neither marks an erasure nor is listed with a reason.
"""

import ast
import random
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import OperationalError, connection
from django.db.models import Value
from django.db.models.functions import Concat
from django.utils import timezone

from annotation import wiping
from annotation.corpora import curating
from annotation.models import (
    Corpus,
    Erasure,
    Passage,
)
from tests.cast import small_corpus
from tests.config.erasures import KINDS, LONG_AGO, Erase, deleted_corpus
from tests.planted import WORD, columns_with, files_with

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.storage]
EMPTY_LOG = "PRAGMA wal_checkpoint(TRUNCATE)"
PRODUCT = ("annotation", "writing", "judging", "analysis", "config")


@pytest.mark.parametrize("plant", KINDS, ids=[kind.__name__ for kind in KINDS])
def test_nothing_is_left_in_any_table_or_file_after(plant: Callable[[], Erase]) -> None:
    erase = plant()
    assert columns_with()
    assert connection.vendor != "sqlite" or files_with()
    erase()
    wiping.wipe()
    assert columns_with() == set()
    assert files_with() == []
    assert not Erasure.objects.exists()


def test_a_row_that_sqlite_had_moved_leaves_no_copy() -> None:
    """Zeroing deleted cells is not enough: pages that were split keep old copies."""
    if connection.vendor != "sqlite":
        return
    _run("VACUUM")  # earlier tests left free pages, which decide where rows move
    gone, kept = (small_corpus(slug=slug, responses=0) for slug in ("gone", "kept"))
    topics = [kept.topics.get(), gone.topics.get()]
    draw = random.Random(7)
    for number in range(1, 1200):
        topic = topics[draw.random() < 0.2]
        word = f"{WORD} " if topic.corpus == gone else "other "
        words = word * draw.randint(1, 400 if draw.random() < 0.2 else 20)
        Passage.objects.create(topic=topic, key=f"{word}{number}", rank=number, text=words)
        if draw.random() < 0.5:
            longer = Passage.objects.filter(rank=draw.randint(1, number))
            longer.update(text=Concat("text", Value(" longer" * draw.randint(1, 60))))
    _run(EMPTY_LOG)
    Corpus.objects.filter(pk=gone.pk).update(deleted_at=LONG_AGO)
    curating.end_deleted(now=timezone.now())
    _run(EMPTY_LOG)
    assert files_with(), "SQLite overwrites everything by itself now: wiping can be simpler"
    wiping.wipe()
    assert files_with() == []


def _run(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def test_the_marker_stays_while_another_connection_writes() -> None:
    if connection.vendor != "sqlite":
        return
    deleted_corpus()()
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert not wiping.wipe()
    assert Erasure.objects.exists()
    other.execute("ROLLBACK")
    other.close()
    assert wiping.wipe()
    assert not Erasure.objects.exists()


def test_another_fault_than_a_busy_database_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        def execute(self, _: str) -> None:
            fault = sqlite3.OperationalError("database or disk is full")
            fault.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise OperationalError("database or disk is full") from fault

    with pytest.raises(OperationalError):
        wiping._rebuilt(Full())


# -- The kind is closed ----------------------------------------------------------------------------

# Functions that delete rows without marking an erasure, and why nothing personal is in these rows.
UNMARKED = {
    "annotation.fieldwork.work.withdrawal_journal.catch_up": "a mark of the server",
    "analysis.pages.planning.simulating.forget": "forecasts of a design",
    "analysis.pages.planning.simulating.work_on": "a forecast of an older design",
    "analysis.receivers.forget_agreement": "a withdrawal marks",
    "analysis.pages.review.comparing.compare": "a number, computed again from the answers",
    "annotation.corpora.importing_orders.delete_order": "ranks of systems, published elsewhere",
    "annotation.people.notifying.follow": "expired notices; their work stays or goes elsewhere",
    "annotation.people.access.sharing.move": "a team without people",
    "annotation.people.access.sharing.remove": "a membership; the account and the audit log stay",
    "annotation.fieldwork.consenting.erasing_study_data._forget_submissions": "its caller marks",
    "annotation.fieldwork.consenting.erasing_expired.erase_demographics": "a withdrawal marks",
    "annotation.clearing_cache.forget_all": "the cache, at a migration",
    "config.maintenance.end": "the mark of an upgrade",
    "annotation.clearing_cache.forget_expired": "the cache; erasing its source removes entries",
    "annotation.fieldwork.recruiting.releasing_held_up.leave": "a note that a worker waited",
    "annotation.fieldwork.work.pacing.forget_addresses": "keyed hashes",
    "annotation.fieldwork.recruiting.prolific.admitting.forget_tokens": "keyed hashes",
    "annotation.fieldwork.recruiting.prolific.messaging.erase": "in a withdrawal, which marks",
    "annotation.fieldwork.recruiting.prolific.receiving_webhooks.handle_left": "they have no id",
    "annotation.fieldwork.recruiting.rotating_keys.rotate": "keyed hashes",
    "annotation.fieldwork.review.saving_views.forget": "a saved filter",
    "annotation.fieldwork.screening.qualifying.take_back": "that somebody had a qualification",
    "annotation.studies.extending.set_terms": "free places",
    "annotation.fieldwork.trials.making._keep_some": "tasks of a trial that nobody has begun",
    "annotation.fieldwork.trials.recording_trials.forget_tester": "a withdrawal marks",
    "annotation.wiping.wipe": "the markers themselves",
    "judging.coding.coding_units.erase_units": "a withdrawal marks",
    "config.accounts.recording_sessions.begin": "ended sessions of researchers",
    "config.accounts.recording_sessions.end": "ended sessions of researchers",
    "config.logging_in._end": "ended sessions of researchers",
    "config.verifying.prepare": "a secret that opens nothing any more",
    "config.verifying.turn_off": "a secret that opens nothing any more",
    "config.verifying.turn_on": "a secret that opens nothing any more",
    "judging.coding.marking.unmark": "a copy of words that stay in the comment",
    "judging.models.coders.forget": "its callers mark",
    "judging.receivers.erase": "a withdrawal marks",
    "judging.sessions.saving_recordings.begin": "recordings without audio",
    "judging.review.redoing._take_back": "answers that are there again",
    "writing.log.collecting.pack_log": "chunks of a log that is kept in one piece",
    "writing.review.publishing._blank": "a withdrawal marks",
    "writing.review.publishing.erase": "a withdrawal marks",
    "writing.review.publishing.forget_logs": "part of forgetting, which marks",
    "writing.review.publishing.unpublish": "a copy of a text that is kept",
}


def test_code_that_deletes_rows_marks_an_erasure_or_is_listed() -> None:
    functions = {name: body for package in PRODUCT for name, body in _deleting(Path(package))}
    unmarked = {name for name, body in functions.items() if "mark_erasure" not in body}
    assert unmarked == set(UNMARKED)


def _deleting(package: Path) -> Iterator[tuple[str, str]]:
    """Yield the functions of a package that delete rows, with their source."""
    for path in sorted(package.rglob("*.py")):
        if "migrations" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and any(map(_deletes, ast.walk(node))):
                module = ".".join(path.with_suffix("").parts)
                yield f"{module}.{node.name}", ast.unparse(node)


def _deletes(node: ast.AST) -> bool:
    """Whether this is `x.delete()` or `x._raw_delete(...)`; not a call of ours with arguments."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    name = node.func.attr
    return name == "_raw_delete" or (name == "delete" and not node.args and not node.keywords)
