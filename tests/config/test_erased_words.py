"""Erased data leave every table and every file, however they were erased.

Each kind of erasure is a function that plants the word and returns what erases it. The last test
finds code that deletes rows and neither marks an erasure nor is listed with a reason.
"""

import ast
import random
import sqlite3
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import OperationalError, connection
from django.db.models import Value
from django.db.models.functions import Concat
from django.utils import timezone

from analysis.models import AnalysisRun
from analysis.runs import renewing
from annotation import wiping
from annotation.corpora import curating
from annotation.corpora.uploads import gathering
from annotation.fieldwork.consenting import erasing_participants, erasing_study_data
from annotation.fieldwork.review import reviewing
from annotation.fieldwork.trials.making import make_trial
from annotation.fieldwork.work import assigning
from annotation.models import (
    Assignment,
    Batch,
    Corpus,
    CorpusImage,
    Demographics,
    Draft,
    Erasure,
    Passage,
    PlatformStudy,
    PlatformSubmission,
    Response,
    ReviewDecision,
    Simulation,
    Study,
    Worker,
)
from annotation.studies.drafts import making
from annotation.studies.setting_retention import DEMOGRAPHICS, LOGS, PLATFORM_IDS, RECORDINGS
from annotation.tasks import clear
from annotation.texts.markdown.images import digest_of
from judging.banks import adding, deciding, generating, setting_up
from judging.banks import deleting as deleting_banks
from judging.banks.adding import NewEntry
from judging.banks.wording import READY, about
from judging.calls.asking import Terms
from judging.coding import coding_units, reconciling
from judging.labels.importing import import_labels
from judging.labels.removing import remove_labels
from judging.machines import preparing, withdrawing
from judging.models import (
    Bank,
    Judgment,
    MachineJudge,
    Presentation,
    QueryRound,
    RecordingChunk,
    SessionNote,
    Utterance,
)
from judging.queries import deleting
from judging.raters.registering import register
from judging.sessions import saving_recordings, saving_sessions
from tests.annotation.corpora.uploads.cast import uploaded
from tests.annotation.studies.drafts.drafted import drafted
from tests.cast import NOW, begun, bob, handed_in, rita, small_corpus, small_study, writing_study
from tests.judging.banks.test_bank_studies import study_of as study_of_bank
from tests.judging.coding.cast import coding_of, two_coders
from tests.judging.machines.cast import machine
from tests.judging.queries.cast import passages, round_of
from tests.judging.sessions.cast import TRANSCRIPT, whole_session
from tests.planted import WORD, columns_with, files_with
from tests.writing.review.test_publishing import judging_of
from writing.models import PackedLog, Writing

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.storage]
MANY = f"{WORD} " * 40
LONG_AGO = timezone.now() - timedelta(days=30)
Erase = Callable[[], object]
PRODUCT = ("annotation", "writing", "judging", "analysis", "config")


def withdrawal() -> Erase:
    work = handed_in(begun(small_study(), bob()))
    Judgment.objects.filter(assignment=work).update(comment=MANY)
    Presentation.objects.filter(assignment=work).update(comment=MANY)
    return lambda: assigning.withdraw(assignment=work, now=timezone.now())


def withdrawal_after_coding() -> Erase:
    work = handed_in(begun(small_study(), bob()))
    Presentation.objects.filter(assignment=work).update(comment=MANY)
    coding = coding_of(work.study)
    (unit,) = coding.units.all()
    for coder in two_coders(coding):
        coding_units.record(coder=coder, unit=unit, codes=[], now=NOW, added=MANY)
    reconciling.close(coding=coding, by=None, now=NOW)
    reconciling.decide(coding=coding, unit=unit, codes=[], note=MANY, by=None, now=NOW)
    return lambda: assigning.withdraw(assignment=work, now=timezone.now())


def _accepted_text() -> tuple[Assignment, Response]:
    work = begun(writing_study(), bob())
    Writing.objects.create(assignment=work, acknowledged_at=NOW, text=MANY)
    handed_in(work)
    reviewing.decide(
        assignment=work, decision=ReviewDecision.Decision.ACCEPT, reviewer="r", reason="So.",
        now=NOW,
    )  # fmt: skip
    return work, Response.objects.get()


def withdrawal_of_a_text_that_a_model_read() -> Erase:
    """Plant the words in entries that a model made of the whole text, one of them edited."""
    work, text = _accepted_text()
    bank = adding.make(corpus=text.corpus, name="b", kind="nuggets", by=None, now=NOW)
    ready, how = READY["nuggets"], {"by": None, "now": NOW}
    prompt = setting_up.save_prompt(
        corpus=bank.corpus, key="nuggets", system=ready.system, user=ready.user, **how
    )
    asked = setting_up.set_up(
        bank=bank, name="first", prompt=prompt, topics=[text.topic],
        manner=setting_up.EntrySettings(model="good", responses=2), key="",
        terms=Terms(base_url="http://127.0.0.1:9/v1"), **how,
    )  # fmt: skip
    generating.prepare(round=asked)
    replies = {"nuggets": [MANY, f"One {MANY}"]}
    asked.calls.update(state="answered", raw=MANY, parsed=replies)
    generating.take_entries(round=asked)
    shown = bank.entries.order_by("pk").first()
    deciding.edit(bank=bank, entry=shown.pk, shown=1, text=f"Also {MANY}", **how)
    preparing.prepare(judge=machine(study_of_bank(bank)))
    return lambda: assigning.withdraw(assignment=work, now=timezone.now())


def withdrawal_of_words_in_a_bank(*, judged: bool = False) -> Erase:
    """Plant selected words of an accepted text in an entry, a study, a draft and a prompt."""
    work, text = _accepted_text()
    bank = adding.make(corpus=text.corpus, name="b", kind="nuggets", by=None, now=NOW)
    marked = {"response": text, "start": 0, "end": len(MANY.strip())}
    new = NewEntry(text.topic, MANY, answers=[{"answer": MANY}], **marked)
    entry = adding.add(bank=bank, entry=new, by=None, now=NOW)
    how = {"by": None, "now": NOW}
    deciding.edit(bank=bank, entry=entry.pk, shown=1, text=f"Also {MANY}", **how)
    asking = study_of_bank(bank)
    judge = machine(asking)
    preparing.prepare(judge=judge)
    making.make_draft(document=making.document_of(asking), user=None, now=NOW, base=asking)
    _round_about(bank, marked)
    if judged:
        judging_of(text)
    return lambda: assigning.withdraw(assignment=work, now=timezone.now())


def withdrawal_of_judged_words_in_a_bank() -> Erase:
    return withdrawal_of_words_in_a_bank(judged=True)


def _round_about(bank: Bank, marked: dict[str, Any]) -> None:
    """Prepare the calls of a round whose prompt quotes the marked words."""
    ready, how = READY["nuggets"], {"by": None, "now": NOW}
    words = about(ready.user, MANY.strip())
    prompt = setting_up.save_prompt(
        corpus=bank.corpus, key="about", system=ready.system, user=words, **how
    )
    made = setting_up.set_up(
        bank=bank, name="about", prompt=prompt, topics=[marked["response"].topic],
        manner=setting_up.EntrySettings(model="good"), terms=Terms(base_url="http://127.0.0.1:9/v1"),
        key="", span=setting_up.MarkedSpan(**marked), **how,
    )  # fmt: skip
    generating.prepare(round=made)


def withdrawal_of_a_session(*, coded: bool = False) -> Erase:
    session = whole_session()
    Utterance.objects.update(text=MANY, speaker=WORD)
    SessionNote.objects.update(text=MANY)
    # Audio is encrypted: the word stands for it, to see that its rows go.
    RecordingChunk.objects.update(data=MANY.encode())
    work = session.assignment
    if coded:
        coding_of(work.study, kinds=["utterance"])
    return lambda: assigning.withdraw(assignment=work, now=timezone.now())


def withdrawal_of_a_coded_session() -> Erase:
    return withdrawal_of_a_session(coded=True)


def retained_recordings() -> Erase:
    session = whole_session()
    study = session.assignment.study
    SessionNote.objects.update(text=MANY)
    RecordingChunk.objects.update(data=MANY.encode())
    Utterance.objects.update(text=MANY)
    coding_of(study, kinds=["utterance"])
    return _forgotten(study, RECORDINGS)


def replaced_transcript() -> Erase:
    session = whole_session()
    Utterance.objects.update(text=MANY)
    return lambda: saving_sessions.import_transcript(session=session, content=TRANSCRIPT, by=None)


def deleted_note() -> Erase:
    session = whole_session()
    SessionNote.objects.update(text=MANY)
    note = session.notes.get()
    return lambda: saving_sessions.delete_note(session=session, pk=note.pk)


def deleted_recording() -> Erase:
    session = whole_session()
    RecordingChunk.objects.update(data=MANY.encode())
    return lambda: saving_recordings.delete(session=session, by=None)


def erasure_on_request() -> Erase:
    study = small_study()
    work = handed_in(begun(study, bob()))
    Assignment.objects.filter(pk=work.pk).update(exit_answers={"remarks": MANY})
    Judgment.objects.filter(assignment=work).update(comment=MANY)
    return lambda: erasing_participants.erase(
        study=study, worker=bob(), reason="Asked.", now=timezone.now()
    )


def retained_logs() -> Erase:
    study = writing_study()
    work = handed_in(begun(study, bob()))
    PackedLog.objects.create(
        assignment=work, data=MANY.encode(), events=1, last_number=1, last_seq=1, log_bytes=1
    )
    return _forgotten(study, LOGS)


def retained_platform_ids() -> Erase:
    study = small_study()
    work = handed_in(begun(study, bob()))
    Worker.objects.update(external_id=MANY.encode(), external_hash=WORD)
    Assignment.objects.update(external_id=MANY.encode(), session_hash=WORD, browser_hash=WORD)
    at_platform = PlatformStudy.objects.create(
        platform="prolific", external_id="x", study=study, pay=1, minutes=1, created_at=NOW
    )
    PlatformSubmission.objects.create(
        platform_study=at_platform, session_hash=WORD, external_id=MANY.encode(), person_hash=WORD,
        assignment=work, status="APPROVED", asked_at=NOW, changed_at=NOW, source="poll",
    )  # fmt: skip
    return _forgotten(study, PLATFORM_IDS)


def retained_demographics() -> Erase:
    study = small_study()
    work = handed_in(begun(study, bob()))
    Demographics.objects.create(assignment=work, said={"age": MANY}, imported_at=NOW)
    return _forgotten(study, DEMOGRAPHICS)


def _forgotten(study: Study, what: str) -> Erase:
    Batch.objects.filter(study=study).update(state=Batch.State.CLOSED, closed_at=NOW)
    return lambda: erasing_study_data.forget(study=study, what=what, now=timezone.now())


def deleted_corpus() -> Erase:
    corpus = small_corpus()
    corpus.responses.update(text=MANY)
    turns = [{"role": "user", "content": MANY}]
    corpus.responses.update(turns=turns)
    corpus.topics.update(query=MANY, description=MANY, turns=turns)
    Passage.objects.create(topic=corpus.topics.get(), key="p", rank=1, text=MANY)
    CorpusImage.objects.create(
        corpus=corpus,
        digest=digest_of(MANY.encode()),
        names=[MANY],
        media_type="image/png",
        width=1,
        height=1,
        content=MANY.encode(),
    )
    _planted_bank(corpus)
    corpus.labels.create(name=MANY[:200], count=1, raters=1, content=MANY.encode())
    Corpus.objects.update(deleted_at=LONG_AGO)
    return lambda: curating.end_deleted(now=timezone.now())


def deleted_bank() -> Erase:
    bank = _planted_bank(small_corpus())
    return lambda: deleting_banks.delete(bank=bank, by=None)


def _planted_bank(corpus: Corpus) -> Bank:
    """Return a bank with the word in every field; its source is a passage of the corpus."""
    extra = {"rubric": {"info": MANY}}
    bank = adding.make(
        corpus=corpus, name="b", kind="nuggets", by=None, now=NOW, description=MANY, extra=extra
    )
    topic = corpus.topics.first()
    new = NewEntry(
        topic, MANY, facet=WORD, model=WORD, prompt_version=WORD, answers=[{"answer": MANY}],
        passage=topic.passages.first(), extra=extra,
    )  # fmt: skip
    adding.add_all(bank=bank, entries=[new], state="proposed", by=None, now=NOW, reason=WORD)
    return bank


def deleted_draft() -> Erase:
    draft = drafted(user=rita())
    Draft.objects.update(document={**draft.document, "contact": MANY}, deleted_at=LONG_AGO)
    return lambda: making.forget_deleted(now=timezone.now())


def ended_trial() -> Erase:
    user = rita()
    trial = make_trial(draft=drafted(user=user), user=user, now=LONG_AGO)
    work = begun(trial.study, bob())
    Assignment.objects.filter(pk=work.pk).update(exit_answers={"remarks": MANY})
    return clear


def ended_simulation() -> Erase:
    draft = drafted(user=rita())
    Simulation.objects.create(
        draft=draft, revision=draft.revision, document={"title": MANY}, user=draft.created_by,
        competence=0.5, difference=0.5, made_at=LONG_AGO, touched_at=LONG_AGO, expires_at=LONG_AGO,
    )  # fmt: skip
    return clear


def discarded_upload() -> Erase:
    upload = _upload()
    return lambda: gathering.discard(upload=upload)


def removed_file() -> Erase:
    upload = _upload()
    (file,) = upload.files.all()
    return lambda: gathering.remove_file(upload=upload, pk=file.pk)


def abandoned_upload() -> Erase:
    upload = _upload()
    type(upload).objects.update(changed_at=LONG_AGO)
    return clear


def _upload():
    text = "key,query\n" + "".join(f"t{n},{WORD} {n}\n" for n in range(50))
    return uploaded({"topics.csv": text.encode()})


def removed_labels() -> Erase:
    study = small_study()
    rater = register(name="Ann", kind="expert", team=study.team)
    path = settings.VAR_DIR / "labels.csv"
    item = study.items.get()
    path.write_text(f"item,value,comment\n{item.key},n,{MANY}\n")
    import_labels(study=study, path=path, rater=rater, now=NOW)
    path.unlink()
    return lambda: remove_labels(study=study, rater=rater, expected=1)


def deleted_judge() -> Erase:
    judge = machine(small_study())
    MachineJudge.objects.update(said=MANY)
    return lambda: withdrawing.delete(judge=judge, by=None)


def deleted_round() -> Erase:
    asked = round_of(passages())
    QueryRound.objects.update(said=MANY)
    return lambda: deleting.delete(round=asked, by=None)


def overtaken_analysis() -> Erase:
    study = small_study()
    AnalysisRun.objects.create(
        study=study, parameters={"people": MANY}, seed=1, version="1", digest="d", key="k",
        state=AnalysisRun.State.FAILED, overtaken=True, asked_at=NOW, finished_at=NOW,
    )  # fmt: skip
    return lambda: renewing.renew(study=study, enqueue=lambda *_: None)


KINDS = (
    withdrawal, withdrawal_after_coding, withdrawal_of_words_in_a_bank,
    withdrawal_of_a_text_that_a_model_read, withdrawal_of_judged_words_in_a_bank,
    erasure_on_request, retained_logs,
    retained_platform_ids, retained_demographics,
    deleted_corpus, deleted_bank, deleted_draft, ended_trial, ended_simulation, discarded_upload,
    withdrawal_of_a_session, withdrawal_of_a_coded_session, retained_recordings,
    replaced_transcript, deleted_note, deleted_recording,
    removed_file, abandoned_upload, removed_labels, deleted_judge, deleted_round,
    overtaken_analysis,
)  # fmt: skip


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
    _truncate_log()
    Corpus.objects.filter(pk=gone.pk).update(deleted_at=LONG_AGO)
    curating.end_deleted(now=timezone.now())
    _truncate_log()
    assert files_with(), "SQLite overwrites everything by itself now: wiping can be simpler"
    wiping.wipe()
    assert files_with() == []


def _truncate_log() -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")


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
