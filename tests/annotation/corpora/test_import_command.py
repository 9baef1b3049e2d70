"""`import_corpus` at the terminal: what it says, and that it fails with one sentence."""

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Corpus
from tests.annotation.corpora.small_corpora import TOPIC, as_jsonl, plain, write

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
    assert "y.csv:2: text: answer r1 cites [9], but topic t1 has no passages" in told.err


def test_the_command_fails_with_one_sentence_and_the_bad_lines(tmp_path):
    path = write(tmp_path / "topics.jsonl", as_jsonl([TOPIC]) + b"nope\n" * 1_001).source
    with pytest.raises(CommandError) as error:
        call_command("import_corpus", "leaves", str(path))
    sentence, first, *_, last = str(error.value).splitlines()
    assert sentence == "Nothing was imported into leaves: 1,001 rows have problems."
    assert first == f"{path}:2: is not JSON: it begins with 'nope'"
    assert last == "and 1 more"
    assert error.value.returncode == 1
    assert not Corpus.objects.exists()


def test_the_command_reads_the_chosen_header(tmp_path, capsys):
    path = write(tmp_path / "topics.csv", b"Study,Lamps\ntopic,query\nt1,Why?\n").source
    call_command("import_corpus", "leaves", f"topics={path}", "--header-row=2")
    assert capsys.readouterr().out == "topics: 1 added, 0 unchanged\n"
