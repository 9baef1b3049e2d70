"""The steps of the Rubric workbench by one command, run again after an edit and a review."""

import gzip
import json
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotation.models import Study
from judging.banks import deciding
from judging.banks.entries_at import entries_at
from judging.models import Bank, MachineJudge
from tests.analysis.pages.banks.cast import rank
from tests.cast import NOW
from tests.judging.calls.test_killed import Killed, kill_after
from tests.judging.queries.cast import passages

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def steps(endpoint, tmp_path):
    passages()

    def run(*names, **how):
        how = {"model": "good", "url": endpoint.url, "out": tmp_path} | how
        call_command("bank_steps", "towers", "exam", *(["--steps", *names] if names else []), **how)

    return run


def test_an_edit_is_graded_alone_and_nothing_is_asked_twice(steps, endpoint, tmp_path):
    steps("generate")
    bank = Bank.objects.get()
    assert {row.state for row in entries_at(bank)} == {"proposed"}
    rank(bank, {"x": {"t1": ["p1"], "t2": ["p1"]}, "y": {"t1": ["p2", "p3"]}})
    for _ in range(2):
        steps(confirm=True)
        assert len(endpoint.ledger.charges) == 2 + 10 * 3 + 10  # topics, cells of both
    board = json.loads((tmp_path / "board.json").read_text())
    assert {row["system"] for row in board["rows"]} == {"x", "y"}
    files = {path.name for path in tmp_path.iterdir()}
    assert {"rubric_bank.jsonl", "rubric_passages.jsonl.gz", "qrels_maximum.txt"} <= files
    old = entries_at(bank)[0]
    deciding.edit(
        bank=bank, entry=old.pk, shown=old.revision, text="Who painted it?", by=None, now=NOW
    )
    steps("grade", "evaluate")
    assert len(endpoint.ledger.charges) == 42 + 3
    assert Study.objects.count() == 2


def test_an_unknown_method_is_refused(steps):
    with pytest.raises(CommandError, match="no-such-method"):
        steps("generate", "grade", confirm=True, method="no-such-method")


def test_a_bank_without_confirmed_entries_or_a_corpus_is_refused(steps):
    with pytest.raises(CommandError):
        steps("grade")
    with pytest.raises(CommandError):
        call_command("bank_steps", "none", "exam", model="good", url="http://x", out="x")


QUERY = "When did rock n roll begin?"
ENTRY = "940547/a4c82219840e6d197d185ed1eda27c61"


def rated(key):
    text = f"Passage {key} on rock."
    judged = {"paragraphId": key, "query": "940547", "relevance": 2, "titleQuery": "940547"}
    place = {"method": "bm25", "paragraphId": key, "queryId": "940547", "rank": 1, "score": 2.5}
    data = {"judgments": [judged], "rankings": [place]}
    return {"paragraph_id": key, "text": text, "paragraph": {"kept": [1]}, "paragraph_data": data}


def written(path, rows):
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    path.write_bytes(gzip.compress(lines.encode()))
    return path


def read(path):
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


@pytest.fixture
def files(tmp_path):
    text = "Which musicians or bands are considered pioneers of rock n roll?"
    items = [{"query_id": "940547", "question_id": ENTRY, "question_text": text}]
    bank = {"query_id": "940547", "query_text": QUERY, "items": items}
    ranks = [rated(key) for key in ("p1", "p2", "p3")]
    for place, row in enumerate(ranks, start=1):
        row["paragraph_data"]["rankings"][0]["rank"] = place
    return {
        "entries": written(tmp_path / "questions.jsonl.gz", [bank]),
        "passages": written(tmp_path / "passages.jsonl.gz", [["940547", ranks]]),
    }


def test_a_killed_step_continues_on_files_of_the_paper(endpoint, files, tmp_path, monkeypatch):
    def run(*names):
        how = {"model": "good", "url": endpoint.url, "out": tmp_path / "out", "steps": names}
        call_command("bank_steps", "dl20", "exam", **how, **files)

    with monkeypatch.context() as context:
        kill_after(1, context)
        with pytest.raises(Killed):
            run("grade")
    MachineJudge.objects.update(held_until=timezone.now() - timedelta(seconds=1))
    for _ in range(2):
        run("grade", "verify", "evaluate", "analyse")
        counts = endpoint.ledger.counts()
        assert (counts["charged"], counts["charged_twice"]) == (3, 0)
    (before,), (after,) = read(files["passages"]), read(tmp_path / "out/rubric_passages.jsonl.gz")
    assert after[0] == "940547"
    for old, new in zip(before[1], after[1], strict=True):
        (exam,) = new.pop("exam_grades")
        assert new == old
        assert [rating["question_id"] for rating in exam["self_ratings"]] == [ENTRY]
    kappas = json.loads((tmp_path / "out/agreement.json").read_text())["kappas"]
    assert {row["passages"] for row in kappas} == {3}
    assert len((tmp_path / "out/qrels_maximum.txt").read_text().splitlines()) == 3
    files["passages"] = tmp_path / "out/rubric_passages.jsonl.gz"  # a graded file is a new start
    run("evaluate")
    assert endpoint.ledger.counts()["charged"] == 3
