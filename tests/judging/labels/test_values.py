"""Values of foreign labels are read as people write them, and mapped where they are no answers."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from annotation.models import Response, System
from judging.labels.importing import LabelsRefused, import_labels
from judging.labels.values import BadMapping, Sides, ValueMapping, codes_of, plain
from judging.models import Judgment
from judging.raters.registering import register
from tests.annotation.console.api.test_studies_by_program import Program
from tests.cast import NOW, rita, small_corpus, small_study
from tests.hooks import elements
from tests.judging.labels.test_importing import relevance_study

DATABASE = pytest.mark.django_db
PAIR = [
    {"code": "a", "label": "Left", "role": "slot", "slot": "a"},
    {"code": "n", "label": "Equally good", "role": "tie"},
    {"code": "b", "label": "Right", "role": "slot", "slot": "b"},
]
BOTH_BAD = {"code": "x", "label": "Both are bad", "role": "both_bad"}
GRADES = [
    {"code": str(grade), "label": label, "role": "score", "score": grade}
    for grade, label in enumerate(("Not relevant", "Somewhat", "Very relevant"))
]
STRAIGHT = Sides(
    slots={"a": "a", "b": "b"},
    order=("a", "b"),
    keys={"a": "Answer-1", "b": "Answer-2"},
    systems={"a": frozenset({"gpt-4o"}), "b": frozenset({"llama 3", "llama"})},
)
NEG = "t1 0 p1 -2\nt1 0 p2 3\n"


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("A", "a"), ("[[B]]", "b"), ("model_a", "a"), ("Model B", "b"), ("response_b", "b"),
        ("model_1", "a"), ("Assistant B", "b"), ("a wins", "a"), ("left", "a"), ("RIGHT", "b"),
        ("First", "a"), ("second", "b"), ("answer-1", "a"), ("GPT-4o", "a"), (" Llama  3 ", "b"),
        ("tie", "n"), ("Same", "n"), ("equal", "n"), ("Draw", "n"), ("equally good", "n"),
        ("tie (bothbad)", "n"), ("both bad", "n"), ("N", "n"), ("rightvote", "b"),
        ("Left is better", "a"), ("A is better", "a"), ("tievote", "n"), ("bothbad_vote", "n"),
    ],
)  # fmt: skip
def test_a_choice_is_read_however_it_is_written(value, code):
    assert codes_of(value, PAIR, STRAIGHT) == {code}


@pytest.mark.parametrize(
    ("value", "codes"),
    [
        ("tie (bothbad)", {"x"}), ("bothbad", {"x"}), ("both bad", {"x"}), ("tie", {"n"}),
        ("both", {"n"}), ("neither", {"n", "x"}),
    ],
)  # fmt: skip
def test_both_bad_is_an_answer_of_its_own_where_it_is_offered(value, codes):
    assert codes_of(value, [*PAIR, BOTH_BAD], STRAIGHT) == codes


def test_sides_are_those_of_the_page_and_letters_those_of_the_line():
    turned = Sides(
        slots={"a": "b", "b": "a"}, order=("a", "b"), keys=STRAIGHT.keys, systems=STRAIGHT.systems
    )
    assert codes_of("left", PAIR, turned) == {"a"}
    assert codes_of("model_a", PAIR, turned) == {"b"}
    assert codes_of("a", PAIR, turned) == {"b"}
    assert codes_of("gpt-4o", PAIR, turned) == {"a"}


@pytest.mark.parametrize("value", ["1", "2", "0.5", "c", "model_c", "third", "tied up", "", "nan"])
def test_what_no_answer_can_be_is_none(value):
    assert codes_of(value, PAIR, STRAIGHT) == set()


@pytest.mark.parametrize(
    ("value", "codes"),
    [
        ("1.0", {"1"}), ("2.", {"2"}), ("+1", {"1"}), ("01", {"1"}), ("1e0", {"1"}),
        ("SOMEWHAT", {"1"}), ("-0", {"0"}), ("3", set()), ("-1", set()), ("0.5", set()),
        ("1_0", set()), ("inf", set()), ("tie", set()),
    ],
)  # fmt: skip
def test_a_grade_is_a_number_or_the_words_of_the_answer(value, codes):
    assert codes_of(value, GRADES, Sides({}, (), {}, {})) == codes


@given(st.sampled_from(["a", "b", "n", "Answer-1", "gpt-4o", "left", "tie"]), st.randoms())
def test_case_and_white_space_change_no_value(value, random):
    cased = "".join(random.choice((letter.upper(), letter.lower())) for letter in value)
    assert codes_of(f" {cased}\t", PAIR, STRAIGHT) == codes_of(value, PAIR, STRAIGHT) != set()


@given(st.text(max_size=40))
def test_any_text_is_a_value_or_none(value):
    assert codes_of(value, PAIR, STRAIGHT) <= {"a", "n", "b"}
    assert plain(plain(value)) == plain(value)


@pytest.mark.parametrize("lines", [["3"], ["=2"], ["3=2", "3.0=1"]])
def test_a_mapping_that_says_nothing_is_refused(lines):
    with pytest.raises(BadMapping):
        ValueMapping.of(lines)


# -- In a study ---------------------------------------------------------------------------------


def load(study, tmp_path, text, name="labels.qrels", **how):
    path = tmp_path / name
    path.write_text(text)
    rater = register(name="Ann", kind="expert")
    return import_labels(study=study, path=path, rater=rater, now=NOW, **how)


def grades():
    return dict(Judgment.objects.values_list("item__slots__passage__key", "value"))


@DATABASE
def test_qrels_with_floats_comments_and_blank_lines_are_read(tmp_path):
    text = "# TREC, 2024\n\nt1 0 p1 1.0\n   \nt1\t0\tp2\t0.0 # unsure\n#end\n"
    report = load(relevance_study(), tmp_path, text)
    assert (report.added, grades()) == (2, {"p1": "1", "p2": "0"})


@DATABASE
def test_qrels_of_beir_are_read(tmp_path):
    text = "query-id\tcorpus-id\tscore\nt1\tp1\t2\nt1\tp2\t0\n"
    load(relevance_study(), tmp_path, text, "test.tsv")
    assert grades() == {"p1": "2", "p2": "0"}


@DATABASE
def test_a_refusal_counts_the_values_and_lists_the_answers(tmp_path):
    with pytest.raises(LabelsRefused) as refused:
        load(relevance_study(), tmp_path, NEG)
    report = refused.value.report
    assert report.foreign == {("relevance", "-2"): 1, ("relevance", "3"): 1}
    answers = "0 (Not relevant), 1 (Somewhat relevant), 2 (Very relevant)"
    assert all(answers in line.reason for line in report.bad_lines)


@DATABASE
def test_values_are_mapped_or_left_out(tmp_path):
    report = load(relevance_study(), tmp_path, NEG, values=ValueMapping.of(["3=2", "-2="]))
    assert (report.added, grades(), report.remark_count) == (1, {"p2": "2"}, 1)


@DATABASE
def test_a_value_that_is_left_out_makes_no_item(tmp_path):
    study = relevance_study()
    how = {"values": ValueMapping.of(["-2="]), "unknown": "make"}
    report = load(study, tmp_path, "t1 0 p3 -2\nt1 0 p1 1\n", **how)
    assert (report.added, report.items) == (1, 0)


@DATABASE
def test_a_mapping_may_shift_a_scale(tmp_path):
    shift = ValueMapping.of(["1=0", "2=1", "3=2"])
    load(relevance_study(), tmp_path, "t1 0 p1 1\nt1 0 p2 3\n", values=shift)
    assert grades() == {"p1": "0", "p2": "2"}


@DATABASE
def test_the_command_maps_values(tmp_path, capsys):
    study, path = relevance_study(), tmp_path / "a.qrels"
    path.write_text(NEG)
    command = ("import_labels", study.slug, str(path), "--rater=Ann", "--kind=expert")
    with pytest.raises(CommandError):
        call_command(*command)
    call_command(*command, "--value=-2=", "--value=3=2")
    assert grades() == {"p2": "2"}
    with pytest.raises(CommandError):
        call_command(*command, "--value=3")


@DATABASE
def test_a_program_maps_values():
    program, study = Program(), relevance_study()
    url = f"/api/studies/{study.slug}/{study.version}/labels/"

    def sent(**how):
        file = SimpleUploadedFile("a.qrels", NEG.encode())
        return program.client.post(url, {"file": file, "kind": "expert", "name": "Ann", **how})

    refused = sent()
    assert refused.status_code == 400
    assert refused.json()["values"] == [
        {"question": "relevance", "value": "-2", "lines": 1},
        {"question": "relevance", "value": "3", "lines": 1},
    ]
    assert sent(values="3").status_code == 400
    assert sent(values=["3=2", "-2="]).json()["raters"][0]["added"] == 1
    assert grades() == {"p2": "2"}


@DATABASE
def test_the_page_offers_what_becomes_of_each_value(client):
    client.force_login(rita())
    study = relevance_study()
    url = reverse("bring_labels", args=[study.slug, study.version])

    file = SimpleUploadedFile("a.qrels", NEG.encode())
    upload = client.post(url, {"file": file}).url

    def sent(**how):
        form = {"act": "import", "kind": "expert", "name": "Ann", **how}
        page = client.post(upload, form, follow=True).content.decode()
        return [one.attributes["value"] for one in elements(page, "name", "value")]

    offered = sent()
    assert offered == ["-2", "3"]
    chosen = {"of_question": ["relevance"] * 2, "value": offered}
    assert sent(**chosen, answer=["leave", ""]) == ["-2", "3"]
    assert grades() == {}
    sent(**chosen, answer=["leave", "as:2"])
    assert grades() == {"p2": "2"}


@DATABASE
def test_the_name_of_a_model_chooses_its_text(tmp_path):
    corpus = small_corpus()
    for response, name in zip(Response.objects.order_by("key"), ("GPT 4o", "Llama"), strict=True):
        system = System.objects.create(corpus=corpus, key=name.lower().replace(" ", "-"), name=name)
        Response.objects.filter(pk=response.pk).update(system=system)
    study = small_study(corpus=corpus)
    pair = study.items.get()
    for value, key in (("gpt-4o", "t1a"), ("GPT 4O", "t1a"), ("llama", "t1b")):
        load(study, tmp_path, json.dumps({"item": pair.key, "value": value}), "labels.jsonl")
        assert Judgment.objects.get().value == key
