"""A log in every format: nothing is lost in JSONL, and the others are well formed."""

import csv
import io
import json
import zipfile
from itertools import pairwise

import pytest
from django.core.management import CommandError, call_command

from tests.cast import NOW, rita
from tests.writing.editor.typing_hands import typed, writing_assignment
from tests.writing.log.simulated_log import written
from writing.editor import drafting
from writing.exports import formats
from writing.log.collecting import collect
from writing.log.eventlog import Edit, Key, decode, encode, pack
from writing.models import LogChunk, PackedLog
from writing.process.replay import rebuilt

EVENTS = written(words=40).events


def test_jsonl_is_the_log_itself():
    lines = formats.jsonl(EVENTS).splitlines()
    assert decode(f"[{','.join(lines)}]".encode()) == EVENTS


def test_bigbro_is_quoted_and_keeps_every_event():
    tricky = [*typed('="a",\n'), Key(seq=7, ms=9, code="=SUM(A1)", down=True)]
    text = formats.bigbro(tricky, actor="alice")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["method"] for row in rows] == [event.type for event in tricky]
    assert rows[-1]["name"] == "=SUM(A1)"
    assert json.loads(rows[2]["comment"])["inserted"] == '"'


@pytest.mark.parametrize("interval", [1, 300, 10_000])
def test_snapshots_end_with_the_text_and_never_repeat_one(interval):
    told = {"response": "r", "topic": "t", "style": "essay", "begin": 1000, "interval": interval}
    rows = list(formats.snapshots(EVENTS, **told))
    assert list(rows[0]) == ["response", "topic", "style", "timestamp", "text"]
    assert rows[-1]["text"] == rebuilt(EVENTS)
    times = [row["timestamp"] for row in rows]
    assert times == sorted(set(times))
    assert all((time - 1000) % interval == 0 for time in times[:-1])
    assert all(one["text"] != two["text"] for one, two in pairwise(rows))


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["jsonl", "idfx", "bigbro", "snapshots"])
def test_the_command_writes_a_file_for_each_submitted_text(tmp_path, kind, capsys):
    assignment = writing_assignment()
    collect(assignment=assignment, number=1, events_json=encode(typed("Lamps")), now=NOW, tab="")
    call_command("export_logs", "letters", out=tmp_path, format=kind)
    assert not list(tmp_path.iterdir())
    drafting.submit(assignment=assignment, text="Lamps", last_number=1, now=NOW)
    call_command("export_logs", "letters", out=tmp_path, format=kind)
    (file,) = tmp_path.iterdir()
    assert file.stat().st_size > 50
    if kind == "snapshots":
        row = json.loads(file.read_text().splitlines()[-1])
        assert (row["text"], row["topic"], row["style"]) == ("Lamps", "t1", "essay")


@pytest.mark.django_db
def test_the_command_refuses_studies_that_do_not_exist(tmp_path):
    with pytest.raises(CommandError, match="'nothing'"):
        call_command("export_logs", "nothing", out=tmp_path)


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["jsonl", "idfx", "bigbro", "snapshots"])
def test_the_page_gives_the_same_files_as_the_command(client, tmp_path, kind):
    assignment = writing_assignment()
    collect(assignment=assignment, number=1, events_json=encode(typed("Lamps")), now=NOW, tab="")
    drafting.submit(assignment=assignment, text="Lamps", last_number=1, now=NOW)
    call_command("export_logs", "letters", out=tmp_path, format=kind)
    (file,) = tmp_path.iterdir()
    address = f"{assignment.study.get_absolute_url()}review/logs/{kind}/"
    assert client.get(address).status_code == 302
    client.force_login(rita())
    answer = client.get(address)
    assert answer["Content-Disposition"] == f'attachment; filename="letters-1-logs-{kind}.zip"'
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        assert archive.namelist() == [file.name]
        assert archive.read(file.name) == file.read_bytes()


@pytest.mark.django_db
def test_a_log_that_cannot_be_followed_is_named_in_the_download(client):
    assignment = writing_assignment()
    events = typed("Lamps")
    collect(assignment=assignment, number=1, events_json=encode(events), now=NOW, tab="")
    drafting.submit(assignment=assignment, text="Lamps", last_number=1, now=NOW)
    LogChunk.objects.all().delete()
    broken = [events[0], Edit(seq=2, ms=9, at=7, deleted=3, inserted="", input="deleteByCut")]
    PackedLog.objects.create(assignment=assignment, events=2, data=pack(broken))
    client.force_login(rita())
    answer = client.get(f"{assignment.study.get_absolute_url()}review/logs/snapshots/")
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        assert archive.namelist() == ["left-out.txt"]
        assert archive.read("left-out.txt").decode().startswith(f"letters-{assignment.pk}: ")
    assert client.get(f"{assignment.study.get_absolute_url()}review/logs/exe/").status_code == 404
