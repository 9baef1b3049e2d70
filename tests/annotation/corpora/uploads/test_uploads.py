"""An upload from its files to a corpus: checked, imported as a whole, cleared."""

import csv
import os
import threading
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import connection, connections
from django.utils import timezone

from annotation.corpora.uploads import checking, clearing, gathering, progress
from annotation.corpora.uploads.refusals import NothingToCheck
from annotation.models import Corpus, CorpusUpload, Response, Topic, UploadedFile
from annotation.people.access import visible_corpora
from annotation.tasks import work_on_upload
from tests.annotation.corpora.small_corpora import PASSAGE, RESPONSE, TOPIC, as_csv, as_jsonl
from tests.annotation.corpora.uploads.cast import GOOD, arrived, checked, imported, uploaded
from tests.hooks import outlined
from tests.refusals import refused

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
State = CorpusUpload.State


def test_systems_that_no_file_has_are_made_and_named_before():
    rows = [RESPONSE | {"response": f"r{number}", "system": f"s{number}"} for number in (1, 2)]
    files = {name: GOOD[name] for name in GOOD if "topic" in name or "passage" in name}
    upload = checked(uploaded(files | {"answers.jsonl": as_jsonl(rows)}))
    assert upload.report["bad"] == 0
    (remark,) = [each for each in upload.report["remarks"] if "systems" in each]
    assert remark.endswith("s1, s2.")
    assert upload.report["doubts"] == []
    assert ["systems", 2, 0, 0] in upload.report["counts"]


def test_a_system_beside_those_that_a_file_describes_may_be_a_slip():
    rows = [RESPONSE, RESPONSE | {"response": "r2", "system": "S1"}]
    upload = checked(uploaded(GOOD | {"responses.jsonl": as_jsonl(rows)}))
    (doubt,) = upload.report["doubts"]
    assert ": S1." in doubt
    assert upload.report["remarks"] == [doubt]


def test_bad_lines_are_put_together_by_their_reason():
    topics = [TOPIC | {"topic": f"t{number}", "query": ""} for number in range(30)]
    passages = [PASSAGE | {"topic": f"u{number}", "passage": "p"} for number in range(20)]
    files = {"topics.jsonl": as_jsonl(topics), "passages.jsonl": as_jsonl(passages)}
    reasons = checked(uploaded(files)).report["reasons"]
    assert reasons == [
        {"field": "query", "reason": "is empty", "count": 30, "first": "topics.jsonl, line 1"},
        {
            "field": "topic",
            "reason": "… not found",
            "count": 20,
            "first": "passages.jsonl, line 1",
        },
    ]


# -- Checking and importing ----------------------------------------------------------------------
def test_a_check_writes_nothing_and_counts_what_is_new():
    upload = checked(uploaded(GOOD))
    assert upload.state == State.CHECKED
    assert upload.report["bad"] == 0
    assert upload.report["counts"] == [
        [kind, 1, 0, 0] for kind in ("passages", "responses", "systems", "topics")
    ]
    assert not Corpus.objects.exists()


def test_an_import_makes_the_corpus_and_a_second_one_finds_all_equal():
    upload = imported(uploaded(GOOD, licence="CC0"))
    corpus = Corpus.objects.get()
    assert (upload.state, upload.corpus) == (State.IMPORTED, corpus)
    assert (corpus.name, corpus.slug, corpus.licence) == ("Lamps", "lamps", "CC0")
    again = checked(uploaded(GOOD, corpus=corpus))
    assert again.report["counts"][0] == ["passages", 0, 1, 0]


def test_what_contradicts_is_counted_and_named():
    corpus = imported(uploaded(GOOD)).corpus
    other = as_jsonl([TOPIC | {"query": "another?"}])
    upload = checked(uploaded({"topics.jsonl": other}, corpus=corpus))
    assert upload.report["counts"] == [["topics", 0, 0, 1]]
    [[*place, reason]] = upload.report["lines"]
    assert place == ["topics.jsonl", 1, "query"]
    assert outlined([reason], "'t1' … different query")
    with pytest.raises(NothingToCheck):
        checking.ask_to_import(upload=upload, task=work_on_upload)


def test_ten_thousand_faults_show_the_first_hundred_the_count_and_all_as_csv():
    content = b"topic,query\n" + b"".join(b"%d,\n" % number for number in range(10_000))
    upload = checked(uploaded({"topics.csv": content + b"=1+1,\n"}))
    assert upload.report["bad"] == 10_001
    assert len(upload.report["lines"]) == 100
    with (upload.folder / checking.FAULTS).open(encoding="utf-8-sig") as file:
        rows = list(csv.reader(file))
    assert len(rows) == 10_002
    assert rows[:2] == [
        ["file", "line", "field", "reason"],
        ["topics.csv", "2", "query", "is empty"],
    ]


def test_a_mended_file_takes_the_place_of_the_bad_one():
    upload = checked(uploaded(GOOD | {"responses.jsonl": as_jsonl([RESPONSE | {"topic": "t9"}])}))
    assert upload.report["bad"] == 1
    better = arrived("responses.jsonl", GOOD["responses.jsonl"])
    gathering.add_files(upload=upload, files=[better])
    upload.refresh_from_db()
    assert (upload.state, upload.report) == (State.OPEN, {})
    assert imported(upload).state == State.IMPORTED
    assert Response.objects.count() == 1


def test_columns_that_are_not_known_are_mapped():
    upload = uploaded({"a.csv": b"handle;remark\n1;why?\n"})
    with pytest.raises(NothingToCheck, match=r"a\.csv"):
        checking.ask_to_check(upload=upload, task=work_on_upload)
    file = upload.files.get()
    gathering.say_kind(upload=upload, pk=file.pk, kind="topics")
    file.refresh_from_db()
    assert file.mapping["columns"] == {}
    said = {"topic": "column:handle", "query": "column:handle"}
    with pytest.raises(ValidationError):
        gathering.map_columns(upload=upload, pk=file.pk, said=said)
    gathering.map_columns(upload=upload, pk=file.pk, said=said, keeps_twice=True)
    with pytest.raises(NothingToCheck, match="“handle”") as refusal:
        checking.ask_to_check(upload=upload, task=work_on_upload)
    assert refusal.value.file == file.pk
    said = {"topic": "column:handle", "query": "column:remark"}
    gathering.map_columns(upload=upload, pk=file.pk, said=said)
    imported(upload)
    assert Topic.objects.get().key == "1"


def test_a_file_that_cannot_be_read_is_not_checked():
    upload = uploaded({"a.csv": b""})
    with pytest.raises(NothingToCheck, match=r"a\.csv"):
        checking.ask_to_check(upload=upload, task=work_on_upload)
    gathering.remove_file(upload=upload, pk=upload.files.get().pk)
    with pytest.raises(NothingToCheck) as refusal:
        checking.ask_to_check(upload=upload, task=work_on_upload)
    assert refusal.value.file == 0


def test_files_of_others_are_imported():
    run = b"t1 Q0 p0 1 0.9 bm25\nt1 Q0 p9 2 0.1 bm25\n"
    files = {"topics.jsonl": as_jsonl([TOPIC]), "passages.csv": as_csv([PASSAGE]), "a.run": run}
    upload = uploaded(files)
    gathering.choose(
        upload=upload, origin="", drops_citations=False, drops_passages=True, makes_copies=False
    )
    upload.refresh_from_db()
    upload = imported(upload)
    assert upload.report["warnings"] == 1
    assert upload.corpus.systems.get().rankings.count() == 1


def test_degraded_copies_are_made_of_summaries_where_that_is_asked_for():
    sections = [
        {"heading": head, "statements": [{"text": f"{head}.", "citations": [PASSAGE["passage"]]}]}
        for head in ("Kinds", "Use")
    ]
    summary = {"summary": "s1", "topic": "t1", "overview": {"text": "Light."}, "origin": "llm"}
    files = {
        "topics.jsonl": as_jsonl([TOPIC]),
        "passages.csv": as_csv([PASSAGE]),
        "summaries.jsonl": as_jsonl([summary | {"sections": sections}]),
    }
    upload = uploaded(files)
    said = {"origin": "", "drops_citations": False, "drops_passages": False}
    gathering.choose(upload=upload, **said, makes_copies=True)
    upload.refresh_from_db()
    upload = imported(upload)
    keys = set(upload.corpus.responses.values_list("key", flat=True))
    assert keys == {"s1", "s1/no-headings", "s1/no-section-1"}


def test_the_published_texts_are_read_in_their_own_way():
    snapshot = {name: RESPONSE[name] for name in ("response", "topic", "style")}
    history = [(1, "A"), (3, "A b [0]."), (3, "A b c [0]."), (2, "A b")]
    upload = uploaded(
        {
            "topics.jsonl": as_jsonl([TOPIC]),
            "passages.csv": as_csv([PASSAGE]),
            "study1_responses_human.jsonl": as_jsonl(
                [snapshot | {"timestamp": at, "text": text} for at, text in history]
            ),
            "study1_tasks.jsonl": as_jsonl([snapshot | {"worker": "w1"}]),
            "grades.jsonl.gz": b"anything",
        }
    )
    assert "grades.jsonl.gz" not in upload.files.values_list("name", flat=True)
    imported(upload)
    response = Response.objects.get()
    assert (response.text, response.origin) == ("A b c [0].", "human")
    assert response.author.pseudonym == "w1"


def test_a_text_that_two_people_are_said_to_have_written_is_named():
    row = {name: RESPONSE[name] for name in ("response", "topic", "style")}
    of = [as_jsonl([row | {"worker": worker}]) for worker in ("w1", "w2")]
    authors = "… 'r1' … 'w2' … 'w1'"
    in_one = checked(uploaded(GOOD | {"study1_tasks.jsonl": b"".join(of)}))
    [[*place, reason]] = in_one.report["lines"]
    assert place == ["study1_tasks.jsonl", 2, ""]
    assert outlined([reason], authors)
    in_two = checked(uploaded(GOOD | {"a.jsonl": of[0], "b.jsonl": of[1]}))
    [[*place, reason]] = in_two.report["lines"]
    assert place == ["b.jsonl", 1, ""]
    assert outlined([reason], authors)


def test_a_query_that_a_bank_gives_in_two_wordings_is_named():
    bank = {"query_id": "q1", "test_collection": "c", "hash": 1, "items": []}
    rows = [bank | {"query_text": text} for text in ("why?", "why?", "how?")]
    upload = checked(uploaded({"bank.jsonl": as_jsonl(rows)}))
    [[*place, reason]] = upload.report["lines"]
    assert place == ["bank.jsonl", 3, "query_text"]
    assert outlined([reason], "… query … 'q1' … line 1")
    assert checked(uploaded({"bank.jsonl": as_jsonl(rows[:2])})).report["counts"] == [
        ["topics", 1, 0, 0]
    ]


# -- Together ------------------------------------------------------------------------------------
def test_pressed_twice_it_is_done_once():
    upload = checked(uploaded(GOOD))
    checking.ask_to_import(upload=upload, task=work_on_upload)
    checking.ask_to_import(upload=upload, task=work_on_upload)
    checking.work_on(pk=upload.pk)
    checking.work_on(pk=upload.pk)
    checking.ask_to_import(upload=upload, task=work_on_upload)
    upload.refresh_from_db()
    assert upload.state == State.IMPORTED
    with arrived("a.csv", b"x") as file, refused("NotNow"):
        gathering.add_files(upload=upload, files=[file])


def test_a_name_that_a_corpus_has_is_refused_and_two_at_once_do_not_become_one():
    first, second = checked(uploaded(GOOD)), checked(uploaded(GOOD))
    assert imported(first).state == State.IMPORTED
    refused = imported_anyway(second)
    assert refused.state == State.CHECKED
    assert "Lamps" in refused.report["lines"][0][3]
    with pytest.raises(ValidationError) as refusal:
        uploaded({}, name="lamps  ")
    assert set(refusal.value.message_dict) == {"name"}


def test_two_people_may_call_their_corpora_alike():
    mine = imported(uploaded(GOOD))
    charlie = User.objects.create_user("charlie")
    others = imported(uploaded(GOOD, owner=charlie))
    assert (mine.corpus.slug, others.corpus.slug) == ("lamps", "lamps-2")
    assert list(visible_corpora(charlie)) == [others.corpus]


def imported_anyway(upload):
    """As it is where the other import came between the check and this one."""
    checking.ask_to_import(upload=upload, task=work_on_upload)
    checking.work_on(pk=upload.pk)
    upload.refresh_from_db()
    return upload


def test_two_people_add_other_lines_to_one_corpus_and_the_slower_one_is_told():
    corpus = imported(uploaded(GOOD)).corpus
    one = {"a.jsonl": as_jsonl([{"topic": "t2", "query": "one?"}])}
    two = {"a.jsonl": as_jsonl([{"topic": "t2", "query": "two?"}])}
    first = checked(uploaded(one, corpus=corpus))
    second = checked(uploaded(two, corpus=corpus))
    assert imported_anyway(first).state == State.IMPORTED
    told = imported_anyway(second)
    assert (told.state, told.report["bad"]) == (State.CHECKED, 1)
    assert Topic.objects.get(key="t2").query == "one?"


@pytest.mark.django_db(transaction=True)
def test_two_imports_at_the_same_time_are_both_kept_or_named(monkeypatch):
    monkeypatch.setattr("annotation.jobs.send", lambda *_: True)  # a worker of other tests is there
    corpus = imported(uploaded(GOOD)).corpus
    uploads = [
        checked(
            uploaded({f"{n}.jsonl": as_jsonl([{"topic": f"n{n}", "query": "new?"}])}, corpus=corpus)
        )
        for n in range(2)
    ]
    for upload in uploads:
        checking.ask_to_import(upload=upload, task=work_on_upload)

    def work(pk):
        checking.work_on(pk=pk)
        connections.close_all()

    # Two for each: a message may be delivered twice.
    threads = [threading.Thread(target=work, args=[each.pk]) for each in uploads * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(CorpusUpload.objects.values_list("state", flat=True)) == {State.IMPORTED}
    assert corpus.topics.count() == 3


def test_a_job_that_another_one_is_at_is_left_alone():
    upload = uploaded(GOOD)
    checking.ask_to_check(upload=upload, task=work_on_upload)
    with progress.alone(upload.folder) as is_alone:
        assert is_alone
        checking.work_on(pk=upload.pk)
    upload.refresh_from_db()
    assert upload.state == State.CHECKING


def test_a_job_that_breaks_off_three_times_says_so(monkeypatch):
    upload = uploaded(GOOD)
    checking.ask_to_check(upload=upload, task=work_on_upload)

    def killed(**_):
        raise MemoryError

    monkeypatch.setattr(checking, "import_corpus", killed)
    for _ in range(3):
        with pytest.raises(MemoryError):
            checking.work_on(pk=upload.pk)
    checking.work_on(pk=upload.pk)
    upload.refresh_from_db()
    assert (upload.state, upload.problem) == (State.OPEN, checking.BROKE_OFF)


def test_an_upload_that_is_thrown_away_while_it_is_imported_leaves_nothing(monkeypatch):
    upload = checked(uploaded(GOOD))
    checking.ask_to_import(upload=upload, task=work_on_upload)
    real = checking.import_corpus

    def slow(**given):
        report = real(**given)
        CorpusUpload.objects.filter(pk=upload.pk).delete()
        return report

    monkeypatch.setattr(checking, "import_corpus", slow)
    checking.work_on(pk=upload.pk)
    assert not Corpus.objects.exists()


def test_a_worker_without_the_folder_says_so(uploads_dir):
    upload = uploaded(GOOD)
    checking.ask_to_check(upload=upload, task=work_on_upload)
    upload.folder.rename(uploads_dir / "elsewhere")
    checking.work_on(pk=upload.pk)
    upload.refresh_from_db()
    assert (upload.state, upload.problem) == (State.OPEN, checking.NO_FOLDER)


# -- Limits and what is left ---------------------------------------------------------------------
def test_an_upload_has_a_largest_size_and_keeps_what_it_had(settings):
    upload = uploaded({"topics.jsonl": GOOD["topics.jsonl"]})
    settings.UPLOAD_MOST_BYTES = 100
    with arrived("a.csv", b"x" * 99) as file, refused("UploadTooLarge"):
        gathering.add_files(upload=upload, files=[file])
    assert [file.name for file in upload.files.all()] == ["topics.jsonl"]


def test_names_of_files_lead_nowhere_else(uploads_dir):
    upload = uploaded({"../../etc/passwd.csv": b"topic,query\n", "\x00.csv": b"topic,query\n"})
    names = set(upload.files.values_list("name", flat=True))
    assert names == {"passwd.csv", ".csv"}
    assert {path.parent for path in uploads_dir.rglob("file-*")} == {upload.folder}


def test_a_discarded_upload_takes_its_files_along(django_capture_on_commit_callbacks):
    upload = uploaded(GOOD)
    with django_capture_on_commit_callbacks(execute=True):
        gathering.discard(upload=upload)
        gathering.discard(upload=upload)
    assert not upload.folder.exists()
    assert not UploadedFile.objects.exists()


def test_the_sweep_ends_what_was_left_and_hands_on_what_waits(uploads_dir, monkeypatch):
    now = timezone.now()
    left, waiting, done = uploaded(GOOD), uploaded(GOOD), imported(uploaded(GOOD, name="Other"))
    checking.ask_to_check(upload=waiting, task=work_on_upload)
    past = now - timedelta(days=8)
    CorpusUpload.objects.filter(pk__in=[left.pk, waiting.pk]).update(changed_at=past)
    old, new = arrived("old", b"x").temporary_file_path(), arrived("new", b"x")
    old = uploads_dir / "arriving" / "old"
    old.write_text("x")
    killed, running = (uploads_dir / f"{clearing.STAGING}{n}" for n in (1, 2))
    for folder in (killed, running):
        (folder / "uploads").mkdir(parents=True)
    for path in (old, killed):
        os.utime(path, (past.timestamp(), past.timestamp()))
    assert clearing.clear(now=now) == 1
    assert not killed.exists()
    assert running.exists()
    assert not left.folder.exists()
    assert not done.folder.exists()
    assert waiting.folder.exists()
    assert not old.exists()
    assert new.file
    sent = []
    monkeypatch.setattr("annotation.jobs.send", lambda task, pk: sent.append(pk))
    clearing.resume(task=work_on_upload)
    assert sent == [waiting.pk]
    assert connection.vendor
