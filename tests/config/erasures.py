"""Kinds of erasure: each function plants the word and returns what erases it."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone

from analysis.models import AnalysisRun
from analysis.runs import renewing
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
from tests.planted import WORD
from tests.writing.review.test_publishing import judging_of
from writing.models import PackedLog, Writing

MANY = f"{WORD} " * 40
LONG_AGO = timezone.now() - timedelta(days=30)
Erase = Callable[[], object]


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
