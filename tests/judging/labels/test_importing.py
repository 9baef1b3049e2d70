"""Labels from elsewhere: read, found in the study, written once."""

import csv
import json
import re

import pytest
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st

from analysis.exports.exporting import stream
from analysis.exports.source import ExportSource
from annotation.models import Passage
from judging.labels.importing import LabelsRefused, import_labels
from judging.models import Judgment, Rater
from judging.raters.registering import BadRater, register
from tests.cast import HOUR, NOW, PREFERENCE, bob, rita, small_corpus, small_study, submitted
from tests.coded_errors import command_ends, raises
from tests.hooks import outlined

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


@pytest.fixture
def study():
    return small_study(responses=3)


@pytest.fixture
def pair(study):
    return study.items.order_by("key").first()


@pytest.fixture
def load(study, tmp_path):
    """Import a text as a file of this name."""

    def run(text, name="labels.csv", of=study, **how):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        rater = how.pop("rater", None) or register(name="Ann", kind="expert")
        return import_labels(**{"study": of, "path": path, "rater": rater, "now": NOW} | how)

    return run


def said():
    return list(Judgment.objects.values_list("item__key", "raw", "value", "shown"))


def relevance_study():
    """Grades of two of three passages, from 0 to 2."""
    corpus = small_corpus(slug="retrieval")
    topic = corpus.topics.get()
    for rank in (1, 2, 3):
        Passage.objects.create(topic=topic, key=f"p{rank}", rank=rank, text=f"Lamp {rank}.")
    study = small_study(slug="retrieval", corpus=corpus, instrument="retrieval-relevance")
    study.items.filter(slots__passage__key="p3").delete()
    return study


def counted(report):
    return report.added, report.changed, report.unchanged


def texts(pair):
    return [slot.response.key for slot in pair.slots.all()]


# -- What a line says --------------------------------------------------------------------------


def test_a_label_is_a_judgment_without_an_assignment(load, pair):
    a, _ = texts(pair)
    load(f"item,question,value,comment\n{pair.key},better,a,Shorter.\n")
    judgment = Judgment.objects.get()
    assert (judgment.assignment, judgment.rater.name, judgment.value) == (None, "Ann", a)
    assert (judgment.raw, judgment.shown, judgment.comment) == ("a", "", "Shorter.")
    assert judgment.first_at == judgment.answered_at == NOW


@pytest.mark.parametrize(
    ("line", "raw", "shown"),
    [
        ({"a": 0, "b": 1, "value": "a"}, "a", ""),
        ({"a": 1, "b": 0, "value": "a"}, "b", ""),
        ({"response_a": 1, "response_b": 0, "value": "b"}, "a", ""),
        ({"a": 1, "b": 0, "value": "n"}, "n", ""),
        ({"a": 1, "b": 0, "value": 0}, "a", ""),
        ({"a": 1, "b": 0, "value": "a", "shown": "a,b"}, "b", "b,a"),
        ({"a": 0, "b": 1, "topic": "t1", "value": "b", "shown": "b,a"}, "b", "b,a"),
    ],
)
def test_a_pair_is_found_in_either_direction_and_its_answer_turned(load, pair, line, raw, shown):
    keys = texts(pair)
    line = {name: keys[cell] if isinstance(cell, int) else cell for name, cell in line.items()}
    load(json.dumps(line), "labels.jsonl")
    value = {"a": keys[0], "b": keys[1]}.get(raw, raw)
    assert said() == [(pair.key, raw, value, shown)]


def test_a_pair_that_stands_both_ways_is_taken_as_the_line_has_it(load):
    study = small_study(slug="both", corpus=small_corpus(slug="both"), items=1, reversed_share=1)
    assert study.items.count() == 2
    load("a,b,value\nt1a,t1b,a\nt1b,t1a,a\n", of=study)
    assert {(key, raw) for key, raw, _, _ in said()} == {("t1a|t1b", "a"), ("t1b|t1a", "a")}


# -- Once, or nothing --------------------------------------------------------------------------


def test_a_repeated_import_writes_nothing_twice(load, pair):
    text = f"item,value\n{pair.key},a\n"
    assert counted(load(text)) == (1, 0, 0)
    before = Judgment.objects.values().get()
    assert counted(load(text, now=NOW + HOUR)) == (0, 0, 1)
    assert Judgment.objects.values().get() == before


def test_a_comment_of_the_second_of_two_equal_labels_is_kept(load, pair):
    assert counted(load(f"item,value,comment\n{pair.key},a,\n{pair.key},a,dim\n")) == (1, 0, 0)
    assert Judgment.objects.get().comment == "dim"


def test_a_changed_label_is_said(load, pair):
    load(f"item,value\n{pair.key},a\n")
    report = load(f"item,value\n{pair.key},n\n", now=NOW + HOUR)
    assert counted(report) == (0, 1, 0)
    a, _ = texts(pair)
    assert re.match(rf"labels\.csv:2: value: .*'{re.escape(a)}' .*'n'$", str(report.remarks[0]))
    judgment = Judgment.objects.get()
    assert (judgment.value, judgment.changes, judgment.first_at) == ("n", 1, NOW)


BAD = [
    ("item,value\n{key},q\n", "2: value: “q” isn't an answer to better: a, n (Equal), b"),
    ("item,value\nnone,a\n", "2: item: the study has no item 'none'"),
    ("item,value\n{key},\n", "2: value: is missing"),
    ("value\na\n", "2: item: is missing, and no slot column"),
    ("a,b,value\nt1a,t9z,a\n", "2: item: the study has no item about t1a, t9z"),
    ("item,topic,value\n{key},t2,a\n", "2: item: {key} has different contents"),
    ("item,question,value\n{key},worse,a\n", "2: question: question 'worse' not found"),
    ("item,value,shown\n{key},a,left\n", "2: shown: 'left' must list the slots"),
    ("item,slot,value\n{key},a,a\n", "2: slot: question better isn't asked per slot"),
    ("item,value,colour\n{key},a,red\n", "2: colour: is neither a label column"),
    ("item,value\n{key}\n", "2: has 1 cells, but the header has 2"),
    (
        "topic,query_id,item,value\nt1,t2,{key},a\n",
        "2: query_id: contradicts column 'topic'",
    ),
    ("a,response_a,item,value\nt1a,t1b,{key},a\n", "2: response_a: contradicts co"),
    ("item,value,value\n{key},a,b\n", "1: column 'value' is a duplicate"),
    ("item,value\n{key},a\n{key},b\n", "3: value: contradicts line 2"),
    ("item,value,comment\n{key},a,dim\n{key},a,bright\n", "3: comment: contradicts line 2"),
    ("", "labels.csv: is empty"),
    ("item,value\n", "1: is empty"),
    (b"item,value\nk\xf6nig,a\n", "2: item: the study has no item 'könig'"),
]


def test_two_columns_that_mean_the_same_may_say_the_same_or_one_of_them_nothing(load, pair):
    key, topic = pair.key, pair.topic.key
    assert counted(load(f"item,topic,query_id,value\n{key},{topic},{topic},a\n")) == (1, 0, 0)
    report = load(f"item,topic,query_id,value\n{key},{topic},,a\n")
    assert counted(report) == (0, 0, 1)


@pytest.mark.parametrize(("text", "reason"), BAD)
def test_a_bad_line_is_named_and_nothing_is_written(load, pair, text, reason):
    if isinstance(text, str):
        text = text.replace("{key}", pair.key)
    with pytest.raises(LabelsRefused) as refused:
        load(text)
    assert any(
        reason.replace("{key}", pair.key) in str(line) for line in refused.value.report.bad_lines
    ), [str(line) for line in refused.value.report.bad_lines]
    assert not Judgment.objects.exists()


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("labels.jsonl", "[1]", "labels.jsonl:1: … JSON object"),
        ("labels.jsonl", '{"item": {"a": 1}}', "labels.jsonl:1: … JSON object"),
        (
            "labels.jsonl",
            '{"item": "i", "value": "a:b", "value": "c"}',
            "labels.jsonl:1: … value … twice",
        ),
        ("labels.csv.gz", b"\x1f\x8b item,value", "labels.csv.gz: … damaged"),
        ("labels.xlsx", "", "labels.xlsx: … empty"),
        ("labels.pdf", "%PDF-1.4", "labels.pdf: … PDF"),
        ("labels.docx", "item,value", "labels.docx: … .xlsx"),
        ("labels.qrels", "t1 0 p1", "labels.qrels:1: … 3 columns … 4"),
    ],
)
def test_a_bad_file_is_named(load, name, text, reason):
    with pytest.raises(LabelsRefused) as refused:
        load(text, name)
    assert outlined([str(refused.value.report.bad_lines[0])], reason)


# -- Qrels, and things that are no items yet ----------------------------------------------------


@pytest.fixture
def relevance():
    return relevance_study()


def test_qrels_are_labels_of_passages(load, relevance):
    load("t1 0 p1 2\nt1 0 p2 0\n", "run.qrels", of=relevance)
    rows = Judgment.objects.values_list("item__slots__passage__key", "value", "score")
    assert sorted(rows) == [("p1", "2", 2), ("p2", "0", 0)]


def test_what_is_no_item_is_refused_left_out_or_made(load, relevance):
    text = "t1 0 p1 2\nt1 0 p3 1\n"
    with pytest.raises(LabelsRefused):
        load(text, "run.qrels", of=relevance)
    report = load(text, "run.qrels", of=relevance, unknown="leave")
    assert (report.added, report.remark_count) == (1, 1)
    place = (report.remarks[0].file, report.remarks[0].line, report.remarks[0].field)
    assert (place, report.skipped) == (("run.qrels", 2, "item"), {"unknown_item": 1})
    report = load(text, "run.qrels", of=relevance, unknown="make")
    assert (*counted(report), report.items) == (1, 0, 1, 1)
    assert relevance.items.filter(slots__passage__key="p3").exists()


def test_what_the_corpus_does_not_have_cannot_be_made(load, relevance):
    with pytest.raises(LabelsRefused) as refused:
        load("t1 0 p9 2\nt7 0 p1 1\n", "run.qrels", of=relevance, unknown="make")
    reasons = [line.reason for line in refused.value.report.bad_lines]
    assert re.search(r"\bt1\b.*'p9'", reasons[0])
    assert "'t7'" in reasons[1]


def test_lines_of_a_topic_ask_the_corpus_once(load, relevance, django_assert_max_num_queries):
    ann = register(name="Ann", kind="expert")
    text = "".join(f"t1 0 q{number} 1\n" for number in range(50))
    with django_assert_max_num_queries(15), pytest.raises(LabelsRefused) as refused:
        load(text, "run.qrels", of=relevance, rater=ann, unknown="make")
    assert refused.value.report.bad_line_count == 50


def test_a_pair_without_a_topic_is_made_in_that_of_its_responses(load, study):
    pair = study.items.order_by("key").last()
    first, second = texts(pair)
    pair.delete()
    load(f"a,b,value\n{first},{second},a\n", unknown="make")
    item = Judgment.objects.get().item
    assert (item.topic.key, sorted(texts(item))) == ("t1", sorted([first, second]))


# -- Raters ------------------------------------------------------------------------------------


def test_a_model_goes_by_its_name_and_an_expert_by_a_pseudonym():
    assert register(name="gpt", kind="model", model="gpt-4o").pseudonym == "gpt"
    ann = register(name="Ann Expert", kind="expert", user=rita())
    assert "Ann" not in ann.pseudonym
    assert register(name="Ann Expert", kind="expert") == ann


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ({"name": "worker bob", "kind": "expert", "team": True}, "is_worker"),
        ({"name": "bob", "kind": "model", "model": "m"}, "name_taken"),
        ({"name": "models", "kind": "model", "model": "m"}, "name_taken"),
        ({"name": "x", "kind": "robot"}, "bad_kind"),
        ({"name": "x", "kind": "model"}, "no_model"),
        ({"name": "x", "kind": "expert", "model": "m"}, "expert_with_model"),
        ({"name": "gpt", "kind": "expert"}, "other_kind"),
        ({"name": "gpt", "kind": "model", "settings": "temperature=1"}, "other_model"),
        ({"name": "two", "kind": "model", "model": "gpt-4o"}, "known_model"),
        ({"name": " ", "kind": "expert"}, "name_length"),
    ],
)
def test_a_rater_that_cannot_be_is_refused(study, how, code):
    submitted(study, bob())
    register(name="gpt", kind="model", model="gpt-4o")
    of_team = {"team": study.team} if "team" in how else {}
    with raises(BadRater, code):
        register(**how | of_team)


# -- The command, and the way back ---------------------------------------------------------------


def test_the_command_imports_and_says_what(study, pair, tmp_path, capsys):
    (tmp_path / "labels.csv").write_text(f"item,value\n{pair.key},a\n")
    command = ("import_labels", "lamps", str(tmp_path / "labels.csv"), "--rater", "gpt")
    model = ("--kind", "model", "--model", "gpt-4o", "--model-settings", "temperature=0")
    call_command(*command, *model)
    assert "1 added, 0 changed, 0 unchanged" in capsys.readouterr().out
    gpt = Rater.objects.get()
    assert (gpt.model, gpt.settings) == ("gpt-4o", "temperature=0")
    (tmp_path / "labels.csv").write_text(f"item,value\n{pair.key},q\n")
    with command_ends(LabelsRefused, match="“q”"):
        call_command(*command, *model)


def test_no_rater_stays_where_the_file_was_refused(study, tmp_path):
    (tmp_path / "labels.csv").write_text("item,value\nnone,a\n")
    with command_ends(LabelsRefused):
        call_command(
            "import_labels", "lamps", tmp_path / "labels.csv", "--rater", "Ann", "--kind", "expert"
        )
    assert not Rater.objects.exists()


@pytest.mark.parametrize("name", ["labels.jsonl.gz", "labels.csv"])
def test_an_exported_file_imported_again_changes_nothing(load, study, tmp_path, name):
    codes = [option.code for option in PREFERENCE.options]

    @given(st.lists(st.sampled_from(codes), min_size=3, max_size=3))
    def there_and_back(values):
        gpt = register(name="gpt", kind="model", model="m")
        lines = zip(study.items.order_by("key"), values, strict=True)
        first = [{"item": item.key, "value": value} for item, value in lines]
        load("\n".join(map(json.dumps, first)), "labels.jsonl", rater=gpt)
        before = list(Judgment.objects.order_by("pk").values())
        data = b"".join(stream(source=ExportSource.of(study), name=name))
        report = load(data, name, rater=gpt)
        assert (counted(report), report.of_others) == ((0, 0, 3), 3)
        assert list(Judgment.objects.order_by("pk").values()) == before

    submitted(study, bob())
    there_and_back()


def test_an_expert_is_exported_under_the_pseudonym(load, study, pair):
    load(f"item,value\n{pair.key},a\n")
    submitted(study, bob())
    data = b"".join(stream(source=ExportSource.of(study), name="labels.csv")).decode()
    assert "Ann" not in data
    rows = list(csv.DictReader(data.splitlines()))
    expert = Rater.objects.get(name="Ann").pseudonym
    assert {(row["rater"], row["kind"]) for row in rows} == {("bob", "crowd"), (expert, "expert")}
