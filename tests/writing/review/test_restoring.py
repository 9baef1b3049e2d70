"""A writer's backup file is brought in: its chunks are taken as if the browser had sent them."""

import json
import re
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from annotation.fieldwork.review import reviewing
from annotation.fieldwork.work import assigning
from annotation.models import Assignment, Place
from annotation.studies import batching
from tests.cast import HOUR, NOW, bob, rita, writing_study
from tests.cast import begun as arrived
from tests.coded_errors import raises
from tests.hooks import element, elements
from tests.hooks import numbers as numbers_in
from tests.writing.editor.typing_hands import typed, writing_assignment
from writing.editor import drafting
from writing.log import backups
from writing.log.collecting import collect, events_of
from writing.log.eventlog import encode
from writing.models import LogChunk, Writing
from writing.review import restoring
from writing.review.restoring import CannotRestore

TEXT = "Lamps shine"
CHUNKS = {1: typed("Lamps"), 2: typed(" shine", first=7, at=5, ms=20)}


def content(work, *, text=TEXT, chunks=CHUNKS, **changes):
    events = {number: json.loads(encode(chunk)) for number, chunk in chunks.items()}
    return {
        "format": "crowdwright-writing-backup",
        "version": 1,
        "token": work.token,
        "text": text,
        "chunks": [{"number": n, "events": event} for n, event in events.items()],
    } | changes


def backup_of(work, **changes):
    return backups.read(json.dumps(content(work, **changes)).encode())


def send(work, number):
    collect(assignment=work, number=number, events_json=encode(CHUNKS[number]), now=NOW, tab="")


def restore(work, *, submit=False, study=None, **changes):
    backup = backup_of(work, **changes)
    return restoring.restore(backup=backup, now=NOW + HOUR, submit=submit, study=study)


def late(work):
    """Let the time of the work run out."""
    Assignment.objects.filter(pk=work.pk).update(expires_at=NOW - timedelta(minutes=1))
    assert assigning.expire_due(now=NOW) == 1


@pytest.fixture
def work(db):
    return writing_assignment()


# -- What it takes ----------------------------------------------------------------------------


def test_it_takes_what_was_not_here(work):
    send(work, 1)
    done = restore(work)
    assert (done.taken, done.there, done.refused, done.missing) == ([2], [1], [], [])
    assert done.is_same_text
    assert drafting.current_text(work).text == TEXT
    again = restore(work)
    assert (again.taken, again.there) == ([], [1, 2])
    assert events_of(work) == [*CHUNKS[1], *CHUNKS[2]]


def closed(state):
    """Return a pattern of the reason why nothing is added to work in this state."""
    return re.escape(str(restoring.CLOSED[state]))


def test_it_takes_a_chunk_for_a_tab_that_writes(work):
    Assignment.objects.update(tab="here")
    assert restore(work).taken == [1, 2]


def test_a_chunk_that_is_refused_stops_no_other(work):
    send(work, 1)
    other = {1: typed("Other"), 2: CHUNKS[2], 3: typed("x", first=90), -1: CHUNKS[1]}
    done = restore(work, chunks=other)
    assert done.taken == [2]
    assert [number for number, _ in done.refused] == [-1, 1, 3]
    sentence = restoring.sentences(done)[2]
    assert numbers_in(sentence)[0] == 1
    assert dict(done.refused)[1] in sentence
    assert events_of(work) == [*CHUNKS[1], *CHUNKS[2]]


def test_a_gap_is_named(work):
    done = restore(work, chunks={2: CHUNKS[2]})
    assert (done.taken, done.missing, done.is_same_text) == ([2], [1], False)
    assert [1] in [numbers_in(sentence) for sentence in restoring.sentences(done)]


def test_the_text_can_be_handed_in(work):
    done = restore(work, submit=True)
    assert done.is_submitted
    writing = Writing.objects.get()
    assert (writing.text, writing.verdict) == (TEXT, "equal")
    assert Assignment.objects.get().state == "submitted"


def test_a_text_with_a_gap_is_handed_in_as_incomplete(work):
    restore(work, submit=True, chunks={2: CHUNKS[2]})
    writing = Writing.objects.get()
    assert (writing.text, writing.verdict) == (TEXT, "incomplete")


def test_a_text_that_cannot_be_handed_in_takes_nothing(work):
    with pytest.raises(CannotRestore) as error:
        restore(work, submit=True, text=" ")
    assert error.value.__cause__.code == "EmptyText"
    assert not LogChunk.objects.exists()


def test_work_that_is_redone_goes_on(work):
    send(work, 1)
    drafting.submit(assignment=work, text="Lamps", last_number=1, now=NOW)
    with raises(CannotRestore, "submitted"):
        restore(work)
    reviewing.decide(assignment=work, decision="redo", reviewer="rita", reason="More.", now=NOW)
    assert restore(work).taken == [2]


# -- Whose it is ------------------------------------------------------------------------------


def test_expired_work_goes_on_where_its_place_is_free(work):
    late(work)
    done = restore(work)
    assert (done.is_revived, done.taken) == (True, [1, 2])
    work.refresh_from_db()
    assert work.state == "active"
    assert Place.objects.get(assignment=work)


def test_expired_work_stays_so_where_the_file_has_nothing_else(work):
    send(work, 1)
    late(work)
    done = restore(work, chunks={1: CHUNKS[1]})
    assert (done.is_revived, done.there) == (False, [1])
    work.refresh_from_db()
    assert work.state == "expired"


def test_expired_work_whose_place_is_taken_is_closed(work):
    late(work)
    arrived(work.study, bob())
    with raises(CannotRestore, "expired"):
        restore(work)
    assert not LogChunk.objects.exists()


def test_a_batch_that_is_closed_takes_what_active_work_has_but_revives_none(work):
    batching.close_batch(batch=work.task.batch, now=NOW)
    assert restore(work).taken == [1, 2]
    late(work)
    with raises(CannotRestore, "expired"):
        restore(work, chunks={3: typed("!", first=13, at=11, ms=40)})


def test_closed_work_takes_nothing(work):
    assigning.withdraw(assignment=work, now=NOW)
    with raises(CannotRestore, "withdrawn"):
        restore(work)


def test_work_before_the_rule_takes_nothing(work):
    Writing.objects.all().delete()
    with raises(CannotRestore, "not_acknowledged"):
        restore(work)


@pytest.mark.parametrize("token", ["nobody", "", "\x00", "\ud800", "ä"])
def test_a_token_that_nobody_has_is_nobodys(work, token):
    with raises(CannotRestore, "no_assignment"):
        restore(work, token=token)


# -- Files ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "code", "shown"),
    [
        (b"", "json", ""),
        (b"\xff\xfe", "json", ""),
        (b"[" * 100_000, "json", ""),
        (b'{"format": "crowdwright-writing-backup", "version": 1, "tok', "json", ""),
        (b"[]", "not_backup", ""),
        (b'{"format": "other"}', "not_backup", ""),
        (b'{"format": "crowdwright-writing-backup", "version": 2}', "version", ""),
        (
            b'{"format": "crowdwright-writing-backup", "version": true}',
            "version",
            "",
        ),
        (b'{"format": "crowdwright-writing-backup", "version": 1}', "damaged", "token"),
    ],
)
def test_file_that_is_no_backup_is_refused(data, code, shown):
    with raises(backups.BadBackup, code, match=shown):
        backups.read(data)


def test_a_huge_file_is_refused(monkeypatch):
    monkeypatch.setattr(backups, "MOST_BYTES", 10)
    with raises(backups.BadBackup, "too_large"):
        backups.read(b"x" * 11)


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
VALID = {"format": backups.FORMAT, "version": 1, "token": "t", "text": "a", "chunks": []}
numbers = st.integers(-(2**63), 2**63 - 1)
events = st.lists(st.none() | st.integers() | st.text(max_size=5), max_size=3)
chunks = st.builds(dict, number=numbers, events=events)


def assert_read_as_written(content, backup):
    assert (backup.token, backup.text) == (content["token"], content["text"])
    numbers = [chunk.number for chunk in backup.chunks]
    assert numbers == sorted(chunk["number"] for chunk in content["chunks"])
    for chunk in backup.chunks:
        events = json.loads(chunk.events_json)
        assert {"number": chunk.number, "events": events} in content["chunks"]


@given(st.text(max_size=5), st.text(max_size=5), st.lists(chunks, max_size=3))
def test_a_backup_is_read_as_it_was_written(token, text, taken):
    content = VALID | {"token": token, "text": text, "chunks": taken}
    assert_read_as_written(content, backups.read(json.dumps(content).encode()))


@given(
    st.binary(max_size=60)
    | st.dictionaries(st.sampled_from(sorted(VALID)), values).map(
        lambda changes: json.dumps(VALID | changes).encode()
    )
)
def test_any_bytes_are_a_backup_or_a_sentence(data):
    backup, said = None, ""
    try:
        backup = backups.read(data)
    except backups.BadBackup as error:
        said = str(error)
    if backup is None:
        assert re.fullmatch(r"(This|Unsupported) .+\.", said, re.DOTALL)
    else:
        assert_read_as_written(json.loads(data), backup)


def test_half_a_surrogate_pair_comes_through(work):
    half = typed("\ud83c")
    done = restore(work, chunks={1: half}, text="\ud83c")
    assert done.is_same_text
    assert events_of(work) == half


# -- The ways in ------------------------------------------------------------------------------


def test_the_command_says_what_it_did(work, tmp_path, capsys):
    file = tmp_path / "my-text.json"
    file.write_text(json.dumps(content(work)))
    call_command("import_writing_backup", file)
    output = capsys.readouterr().out
    assert [2, 0, 0] in [numbers_in(line) for line in output.splitlines()]  # new, there, refused
    assert drafting.current_text(work).text == TEXT
    call_command("import_writing_backup", file, submit=True)
    assert Assignment.objects.get().state == "submitted"
    with pytest.raises(CommandError, match=closed("submitted")):
        call_command("import_writing_backup", file)
    with pytest.raises(CommandError, match="No such file"):
        call_command("import_writing_backup", tmp_path / "none.json")


def upload(client, study, data):
    url = reverse("review_backup", args=[study.slug, study.version])
    return client.post(url, {"file": SimpleUploadedFile("my-text.json", data)})


def test_the_page_takes_a_file_for_its_study(client, work):
    data = json.dumps(content(work)).encode()
    assert upload(client, work.study, data)["Location"].startswith("/login/")
    client.force_login(rita())
    page = upload(client, work.study, data)
    assert page.context["restored"].taken == [1, 2]
    assert [2, 0, 0] in [part.numbers[-3:] for part in elements(page.text, "data-restored")]
    page = upload(client, work.study, data[:-20])
    assert page.status_code == 422
    assert element(page.text, "id", "file-error").text
    page = upload(client, work.study, b"x" * 1_000_001)
    assert page.status_code == 413


def test_the_page_takes_no_file_of_another_study(work):
    with raises(CannotRestore, "other_study"):
        restore(work, study=writing_study_of_another(work))


def writing_study_of_another(work):
    work.study.corpus.slug = "elsewhere"
    work.study.corpus.save()
    return writing_study(slug="another")
