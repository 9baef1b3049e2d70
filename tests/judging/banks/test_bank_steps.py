"""The steps of the Rubric workbench by one command, run again after an edit and a review."""

import json

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Study
from judging.banks import deciding
from judging.banks.entries_at import entries_at
from judging.models import Bank
from tests.analysis.pages.banks.cast import rank
from tests.cast import NOW
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
    files = {path.name for path in (tmp_path / "study").iterdir()}
    assert {"rubric_bank.jsonl.gz", "rubric_passages.jsonl.gz", "qrels_maximum.txt"} <= files
    old = entries_at(bank)[0]
    deciding.edit(
        bank=bank, entry=old.pk, shown=old.revision, text="Who painted it?", by=None, now=NOW
    )
    steps("grade", "evaluate")
    assert len(endpoint.ledger.charges) == 42 + 3
    assert Study.objects.count() == 2


def test_a_bank_without_confirmed_entries_or_a_corpus_is_refused(steps):
    with pytest.raises(CommandError):
        steps("grade")
    with pytest.raises(CommandError):
        call_command("bank_steps", "none", "exam", model="good", url="http://x", out="x")
