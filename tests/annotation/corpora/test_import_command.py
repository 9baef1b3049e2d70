"""`import_corpus` at the terminal: what it says, and that it fails with one sentence."""

import re

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Corpus
from tests.annotation.corpora.small_corpora import TOPIC, as_jsonl, plain, write
from tests.hooks import numbers

pytestmark = [pytest.mark.storage, pytest.mark.django_db]


def test_the_command_says_what_it_brought(tmp_path, capsys):
    topics = write(tmp_path / "x.jsonl", [TOPIC]).source
    responses = write(tmp_path / "y.csv", [plain(text="So [9].")]).source
    call_command(
        "import_corpus",
        "leaves",
        f"topics={topics}",
        str(responses),
        "--name=Leaves",
        "--unknown-citations=report",
    )
    told = capsys.readouterr()
    assert told.out == "responses: 1 added, 0 unchanged\ntopics: 1 added, 0 unchanged\n"
    assert re.search(r"y\.csv:2: text: .*\br1\b.*\[9\].*\bt1\b", told.err)


def test_the_command_fails_with_one_sentence_and_the_bad_lines(tmp_path):
    path = write(tmp_path / "topics.jsonl", as_jsonl([TOPIC]) + b"nope\n" * 1_001).source
    with pytest.raises(CommandError) as error:
        call_command("import_corpus", "leaves", str(path))
    sentence, first, *_, last = str(error.value).splitlines()
    assert re.search(r"\bleaves\b.*\b1,001\b", sentence)
    assert re.match(rf"{re.escape(str(path))}:2: .*'nope'$", first)
    assert numbers(last) == [1]
    assert error.value.returncode == 1
    assert not Corpus.objects.exists()


def test_the_command_reads_the_chosen_header(tmp_path, capsys):
    path = write(tmp_path / "topics.csv", b"Study,Lamps\ntopic,query\nt1,Why?\n").source
    call_command("import_corpus", "leaves", f"topics={path}", "--header-row=2")
    assert capsys.readouterr().out == "topics: 1 added, 0 unchanged\n"
