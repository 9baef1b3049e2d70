"""Bank files of four systems are imported, and written again as equal JSON."""

import gzip
import json
from decimal import Decimal

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.corpora.formats.bank_files import FORMATS, Faults
from annotation.refusals import Refusal
from judging.banks import adding, deciding
from judging.banks.adding import NewEntry
from judging.banks.appending import Change
from judging.banks.entries_at import entries_at
from judging.banks.files import export_bank
from judging.banks.importing import import_bank
from judging.models import Bank, BankEntry
from tests.cast import NOW
from tests.judging.banks.bank_files import (
    AUTOJUDGE,
    FILES,
    NUGGETIZER,
    RAGTIME,
    RUBRIC_CODE,
    RUBRIC_NUGGETS,
    RUBRIC_PAPER,
    as_lines,
    md5,
    read_lines,
)
from tests.judging.banks.cast import entry, shown
from tests.judging.queries.cast import passages

pytestmark = pytest.mark.django_db
BY = {"by": None, "now": NOW}


@pytest.fixture
def corpus():
    return passages()


def imported(corpus, content, **how):
    content = as_lines(content) if isinstance(content, list) else content
    return import_bank(corpus=corpus, name="towers", content=content, **BY, **how)


@pytest.mark.parametrize("name", FILES)
def test_an_unchanged_file_comes_out_equal(corpus, name):
    report = imported(corpus, FILES[name])
    file = export_bank(report.bank, format=name.partition("-")[0])
    assert read_lines(file.content) == FILES[name]
    assert not file.left_out


@pytest.mark.parametrize("name", FILES)
def test_the_same_file_again_adds_nothing(corpus, name):
    report = imported(corpus, FILES[name])
    again = imported(corpus, FILES[name])
    assert (again.added, again.same) == (0, report.added)
    file = export_bank(report.bank, format=name.partition("-")[0])
    assert read_lines(file.content) == FILES[name]


@pytest.mark.parametrize(
    ("packed", "rows"),
    [
        (json.dumps(RUBRIC_PAPER, indent=2).encode(), 1),
        (json.dumps([RUBRIC_PAPER]).encode(), 1),
        (gzip.compress(as_lines([RUBRIC_PAPER, RUBRIC_NUGGETS])), 2),
        (b"\xef\xbb\xbf" + as_lines([RUBRIC_PAPER]), 1),
    ],
)
def test_one_object_a_list_and_packed_lines_are_read(corpus, packed, rows):
    file = export_bank(imported(corpus, packed).bank, format="rubric")
    parsed = json.loads(file.content) if packed[:1] == b"[" else read_lines(file.content)
    assert parsed == [RUBRIC_PAPER, RUBRIC_NUGGETS][:rows]


def test_entries_have_what_the_columns_of_a_bank_hold(corpus):
    bank = imported(corpus, [RUBRIC_CODE]).bank
    high = entry(bank, "How high is it?")
    assert bank.kind == "questions"
    assert high.key == f"t1/f1/{md5('How high is it?')}"
    assert (high.author, high.model) == ("model", "gpt-3.5-turbo-instruct")
    assert [answer["answer"] for answer in high.answers] == ["330 m", "1,083 ft"]
    assert entry(bank, "Who built it?").key == f"t1/f1/{md5('Who built it?')}"


def test_importance_aggregator_and_references_are_read(corpus):
    bank = imported(corpus, [AUTOJUDGE]).bank
    high, built = entry(bank, "How high is it?"), entry(bank, "Who built it?")
    assert (high.importance, high.aggregator, high.model) == ("vital", "or", "gpt-4o")
    assert high.answers[0] == {"answer": "330 m", "references": [{"doc_id": "p1"}], "quality": 2}
    assert (built.importance, built.aggregator, built.author) == ("", "", "person")


def test_questions_stay_questions_and_nuggets_nuggets(corpus):
    assert imported(corpus, [NUGGETIZER]).bank.kind == "nuggets"
    with pytest.raises(Refusal) as refused:
        imported(corpus, [RUBRIC_PAPER])
    assert refused.value.code == "OtherKind"


@pytest.mark.parametrize("name", FILES)
def test_only_what_was_decided_changes_in_a_file(corpus, name):
    bank = imported(corpus, FILES[name]).bank
    first, *_ = entries_at(bank)
    change = Change(importance="okay")
    deciding.decide(bank=bank, shown={first.pk: first.revision}, change=change, **BY)
    text = "In another wording"
    deciding.edit(bank=bank, entry=first.pk, shown=bank.revision, text=text, **BY)
    row, *others = read_lines(export_bank(bank, format=name.partition("-")[0]).content)
    assert others == FILES[name][1:]
    written = json.dumps(row)
    assert first.text not in written
    assert text in written
    assert "okay" in written


def test_an_edited_entry_stays_in_its_place_without_what_was_said_of_its_wording(corpus):
    bank = imported(corpus, [NUGGETIZER]).bank
    old = entry(bank, "Finished in 1889")
    deciding.edit(bank=bank, entry=old.pk, shown=old.revision, text="Opened in 1889", **BY)
    (row,) = read_lines(export_bank(bank, format="nuggetizer").content)
    assert row["nuggets"][1] == {"text": "Opened in 1889", "importance": "okay"}
    assert [nugget["text"] for nugget in row["nuggets"]][::2] == ["330 metres", "By Eiffel"]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", FILES)
def test_every_bank_is_written_in_every_format_and_read_again(corpus, name, format):
    bank = imported(corpus, FILES[name]).bank
    content = export_bank(bank, format=format).content
    other = import_bank(corpus=corpus, name="again", content=content, **BY).bank
    texts = [{(row.topic, row.text.strip()) for row in entries_at(one)} for one in (bank, other)]
    assert texts[0] == texts[1]


def test_secret_and_avoided_entries_leave_only_by_choice(corpus):
    bank = imported(corpus, [NUGGETIZER]).bank
    change = Change(secret=True)
    deciding.decide(bank=bank, shown=shown(bank, "330 metres"), change=change, **BY)
    change = Change(importance="avoid")
    deciding.decide(bank=bank, shown=shown(bank, "By Eiffel"), change=change, **BY)
    file = export_bank(bank, format="nuggetizer")
    assert b"330 metres" not in file.content
    assert (file.entries, file.left_out) == (1, {"secret": 1, "avoid": 1})
    assert b"330 metres" in export_bank(bank, format="nuggetizer", secret=True).content
    assert b"330 metres" not in export_bank(bank, format="autojudge").content
    assert b"By Eiffel" in export_bank(bank, format="autojudge").content


def test_proposed_entries_are_not_written_before_they_are_confirmed(corpus):
    bank = imported(corpus, [RUBRIC_PAPER], state="proposed").bank
    assert export_bank(bank, format="rubric").entries == 0
    deciding.decide(bank=bank, shown=shown(bank), change=Change(state="confirmed"), **BY)
    assert read_lines(export_bank(bank, format="rubric").content) == [RUBRIC_PAPER]


def test_an_added_entry_joins_the_row_of_its_topic(corpus):
    bank = imported(corpus, [RAGTIME]).bank
    for key in ("t1", "t2"):
        new = NewEntry(corpus.topics.get(key=key), f"New of {key}?", author="person")
        adding.add(bank=bank, entry=new, **BY)
    first, second = read_lines(export_bank(bank, format="ragtime").content)
    assert first["metadata"] == RAGTIME["metadata"]
    assert first["nugget_bank"][-1] == {"question": "New of t1?"}
    assert second["metadata"]["topic_id"] == "t2"


def test_topics_that_the_corpus_does_not_have_are_refused_skipped_or_created(corpus):
    rows = [RUBRIC_PAPER, {**RUBRIC_NUGGETS, "query_id": "t9"}]
    with pytest.raises(Refusal) as refused:
        imported(corpus, rows)
    assert refused.value.code == "UnknownTopics"
    assert not Bank.objects.exists()
    assert imported(corpus, rows, unknown="skip").skipped_topics == ["t9"]
    assert imported(corpus, rows, unknown="create").new_topics == 1
    assert corpus.topics.get(key="t9").query == RUBRIC_NUGGETS["query_text"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"no JSON\n",
        b'"text"',
        b'{"query_id": "t1"}\n',
        b'{"query_id": "t1", "items": [{"query_id": "t1"}]}\n',
        b'{"query_id": "t1", "items": [1]}\n',
        b'{"query_id": "t1", "items": [{"nugget_text": "a\\u0000b"}]}\n',
        b'{"query_id": "t1", "items": [{"nugget_text": "\\ud800"}]}\n',
        b'{"query_id": "t1", "items": [{"nugget_text": "a"}]}\n{"qid": "t1", "nuggets": []}\n',
        b'{"query_id": "t1", "items": ' + b"[" * 5000 + b"]" * 5000 + b"}\n",
        b"\x1f\x8bbroken",
        b"\xff\xfe\x00",
        gzip.compress(b" " * 21_000_000),
    ],
)
def test_a_file_with_a_fault_is_refused_with_its_line(corpus, content):
    with pytest.raises(Faults) as refused:
        imported(corpus, content)
    assert refused.value.faults[0][1].reason
    assert not Bank.objects.exists()


def test_a_file_without_entries_is_refused(corpus):
    with pytest.raises(Refusal) as refused:
        imported(corpus, [RUBRIC_PAPER | {"items": []}])
    assert refused.value.code == "EmptyBank"


PLAIN = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | PLAIN,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(PLAIN, inner, max_size=2),
    max_leaves=5,
)  # fmt: skip
UNKNOWN = st.dictionaries(PLAIN.map(lambda name: f"x{name}"), VALUES, max_size=3)
TEXTS = st.lists(PLAIN.filter(str.strip), min_size=1, max_size=4)


def decimals(content):
    """Return the JSON of one line; PostgreSQL writes 2e16 as the same number without exponent."""
    return json.loads(content, parse_float=Decimal, parse_int=Decimal)


@given(texts=TEXTS, unknown=UNKNOWN, of_row=UNKNOWN, name=st.sampled_from(sorted(FILES)))
@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_text_and_unknown_field_comes_out_again(corpus, texts, unknown, of_row, name):
    part = {"nuggetizer": "nuggets", "autojudge": "nugget_bank", "ragtime": "nugget_bank"}
    field = {"nuggetizer": "text", "autojudge": "question", "ragtime": "question"}
    items = [{field.get(name, "question_text"): text, **unknown} for text in texts]
    row = {**FILES[name][0], part.get(name, "items"): items, **of_row}
    with transaction.atomic():
        file = export_bank(imported(corpus, [row]).bank, format=name.partition("-")[0])
        assert decimals(file.content) == decimals(as_lines([row]))
        transaction.set_rollback(True)
    assert not BankEntry.objects.exists()
