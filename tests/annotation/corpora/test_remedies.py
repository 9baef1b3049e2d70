"""Rows with problems: classes, remedies, and what is imported by each choice."""

import csv
import gzip
import json
import os

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.corpora.corpus_files import CorpusFile
from annotation.corpora.importing import ImportRefused, import_corpus
from annotation.corpora.remedies import LABELS, PROBLEMS, BadChoice, Problem, Remedy, RemedyChoices
from annotation.models import Origin, Passage, Ranking, Response, Topic
from tests.annotation.corpora.small_corpora import (
    PASSAGE,
    PASSAGES,
    RESPONSE,
    TOPIC,
    WHOLE,
    contents,
    plain,
)

pytestmark = pytest.mark.django_db


def choose(**choices):
    return RemedyChoices.from_json(choices)


def texts():
    return dict(Response.objects.order_by("pk").values_list("key", "text"))


# -- Declared once -----------------------------------------------------------------------------
def test_each_problem_offers_its_default_and_each_remedy_has_a_label():
    for declared in PROBLEMS.values():
        assert declared.default in (Remedy.ASK, *declared.remedies)
        assert set(declared.remedies) <= set(LABELS)
    assert set(PROBLEMS) == set(Problem)


@pytest.mark.parametrize(
    "data",
    [
        [],
        {"nothing": {"remedy": "skip"}},
        {"empty_answer": {"remedy": "rename"}},
        {"empty_answer": {"remedy": "replace"}},
        {"empty_answer": {"remedy": "replace", "value": "\0"}},
        {"empty_answer": {"remedy": "replace", "value": "x" * 1_001}},
        {"missing_topic": {"remedy": "map", "values": ["t"]}},
        {"missing_topic": {"remedy": "map", "values": {"t": 1}}},
        {"empty_answer": 1},
    ],
)
def test_choices_that_no_problem_offers_are_refused(data):
    with pytest.raises(BadChoice):
        RemedyChoices.from_json(data)


def test_choices_are_stored_and_read_as_they_were_made():
    data = {
        "missing_topic": {"remedy": "map", "values": {"q": "t"}},
        "blank_field": {"remedy": "replace", "value": "?"},
    }
    assert RemedyChoices.from_json(data).as_json() == data
    assert RemedyChoices.from_json({"empty_answer": {"remedy": "ask"}}).as_json() == {}


# -- Remedies ----------------------------------------------------------------------------------
def test_row_that_cannot_be_imported_is_skipped_with_its_class(bring):
    rows = [RESPONSE, plain(response="r2", text="More.", style="poem")]
    report = bring(**WHOLE | {"responses": rows}, choices=choose(unknown_value="skip"))
    assert report.added["responses"] == 1
    assert report.problems.count_of(Problem.UNKNOWN_VALUE) == report.warning_count == 1


def test_unknown_value_is_mapped(bring):
    rows = [plain(text="More.", style="poem"), plain(response="r2", text="Less.", style="ode")]
    values = {"poem": "free", "ode": ""}
    choices = choose(unknown_value={"remedy": "map", "values": values})
    bring(topics=[TOPIC], responses=rows, choices=choices)
    assert set(Response.objects.values_list("style", flat=True)) == {"free"}


def test_value_without_a_target_stays_bad(refused):
    choices = choose(unknown_value={"remedy": "map", "values": {"ode": "free"}})
    bad = refused(topics=[TOPIC], responses=[plain(text="More.", style="poem")], choices=choices)
    assert len(bad) == 1


def test_missing_topic_is_mapped_or_its_row_skipped(bring):
    rows = [plain(topic="q1", text="One."), plain(response="r2", topic="q2", text="Two.")]
    choices = choose(missing_topic={"remedy": "map", "values": {"q1": "t1", "q2": ""}})
    report = bring(topics=[TOPIC], responses=rows, choices=choices)
    assert texts() == {"r1": "One."}
    assert report.problems.count_of(Problem.MISSING_TOPIC) == 2


def test_blank_question_is_replaced(bring):
    bring(
        topics=[TOPIC, {"topic": "t2", "query": " "}],
        choices=choose(blank_field={"remedy": "replace", "value": "Why?"}),
    )
    assert Topic.objects.get(key="t2").query == "Why?"


def test_answers_of_one_id_get_ids_of_their_own_or_the_later_one_is_skipped(bring):
    rows = [plain(text="One."), plain(text="Two."), plain(text="One."), plain(text="Three.")]
    bring(
        topics=[TOPIC],
        responses=rows,
        choices=choose(duplicate_answer="rename", duplicate_row="rename"),
    )
    assert texts() == {"r1": "One.", "r1/2": "Two.", "r1/3": "One.", "r1/4": "Three."}


def test_later_answer_of_one_id_is_skipped(bring):
    rows = [plain(text="One."), plain(text="Two.")]
    report = bring(topics=[TOPIC], responses=rows, choices=choose(duplicate_answer="skip"))
    assert texts() == {"r1": "One."}
    assert report.warning_count == 1


def test_id_of_a_skipped_row_is_free_for_another_row(bring):
    rows = [RESPONSE | {"text": "Bad [9]."}, RESPONSE | {"text": "Good [0]."}]
    bring(**WHOLE | {"responses": rows}, choices=choose(unknown_citation="skip"))
    assert texts() == {"r1": "Good [0]."}


def test_unknown_citation_is_dropped_and_the_text_kept(bring):
    rows = [RESPONSE | {"text": "Both [0] and [9]."}]
    report = bring(**WHOLE | {"responses": rows}, choices=choose(unknown_citation="drop"))
    assert texts() == {"r1": "Both [0] and [9]."}
    assert report.citations == 1
    assert report.problems.count_of(Problem.UNKNOWN_CITATION) == 1


def test_contradiction_is_skipped_and_the_corpus_stays(bring):
    bring(**WHOLE)
    report = bring(
        topics=[TOPIC | {"query": "other?"}],
        responses=[RESPONSE | {"text": "Other."}],
        choices=choose(contradiction="skip"),
    )
    assert Topic.objects.get().query == TOPIC["query"]
    assert texts() == {"r1": RESPONSE["text"]}
    assert report.warning_count == 2


def test_passage_with_a_taken_rank_is_skipped(bring):
    rows = [*PASSAGES, PASSAGE | {"passage": "px", "rank": 1}]
    bring(topics=[TOPIC], passages=rows, choices=choose(duplicate_id="skip"))
    assert not Passage.objects.filter(key="px").exists()


def test_sample_has_the_row_of_the_spreadsheet_and_the_line_of_the_file(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('question,system,answer\nWhy?,A,"two\nlines"\nWhy?,B,\n')
    report = import_corpus(slug="s", name="", files=[CorpusFile(path)], origin="llm")
    (problem,) = report.problems.as_json(RemedyChoices())
    assert [(s["row"], s["line"]) for s in problem["samples"]] == [(3, 4)]


# -- Questions that are alike ------------------------------------------------------------------
ALIKE = ["Why é?", "why e\u0301?", "WHY   É?", "Why\u00a0é?"]


def table(*questions):
    return [
        {"question": question, "system": f"s{n}", "answer": f"Answer {n}."}
        for n, question in enumerate(questions)
    ]


def test_questions_that_are_alike_are_asked_about(refused):
    assert len(refused(table=table(*ALIKE), origin="llm")) == 3


@pytest.mark.parametrize(("remedy", "queries"), [("merge", ALIKE[:1]), ("separate", ALIKE)])
def test_questions_that_are_alike_are_merged_or_kept_apart(bring, remedy, queries):
    choices = choose(similar_question=remedy)
    for _ in range(2):  # what is brought again changes nothing
        report = bring(table=table(*ALIKE), origin="llm", choices=choices)
        assert list(Topic.objects.order_by("pk").values_list("query", flat=True)) == queries
        assert Response.objects.count() == 4
        assert report.problems.count_of(Problem.SIMILAR_QUESTION) == 3


def test_question_in_another_form_names_its_topic_once_that_is_confirmed(bring, refused):
    rows = [plain(topic=ALIKE[1], text="One.")]
    topics = [{"topic": "t1", "query": ALIKE[0]}]
    assert len(refused(topics=topics, responses=rows)) == 1
    bring(topics=topics, responses=rows, choices=choose(similar_question="merge"))
    assert Response.objects.get().topic.key == "t1"


def test_one_topic_with_two_forms_of_its_question_is_merged(bring):
    rows = [row | {"topic": "t1"} for row in table(*ALIKE[:2])]
    bring(table=rows, origin="llm", choices=choose(similar_question="merge"))
    assert Topic.objects.get().query == ALIKE[0]
    assert Response.objects.count() == 2


# -- Broken files, missing systems and origins, runs -----------------------------------------------
TOPICS = [{"topic": f"t{number}", "query": f"Why {number}?"} for number in range(1, 6)]
NOISE = "".join(
    json.dumps({"topic": f"t{number}", "query": os.urandom(30).hex()}) + "\n"
    for number in range(900)
)
BROKEN = {
    "a.jsonl.gz": gzip.compress(NOISE.encode())[:-4_000],
    "a.json": json.dumps(TOPICS, indent=1).encode()[:-40],
    "a.csv": b"topic,query\n" + b"t,Why?\n" * 3 + b'u,"How?\n' + b"v,Who?\n" * 1_200,
    "topics.tsv": b"t1\tWhy?\nt2\tHow?\nt3\t\xff?\n",
}


@pytest.mark.parametrize("name", BROKEN)
def test_rows_above_the_broken_rest_are_imported_by_choice(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(BROKEN[name])
    with pytest.raises(ImportRefused) as refusal, transaction.atomic():
        import_corpus(slug="broken", name="", files=[CorpusFile(path)])
    (bad,) = refusal.value.report.bad_lines
    assert bad.code == Problem.BROKEN_REST
    assert bad.line > 1
    report = import_corpus(
        slug="cut", name="", files=[CorpusFile(path)], choices=choose(broken_rest="cut")
    )
    assert 0 < report.added["topics"] < bad.line
    assert report.warning_count == 1


def test_rows_below_an_open_quotation_mark_are_read(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b'topic,query\nt1,Why?\nt2,"How?\nt3,Who?\nt4,"Where?"\n')
    report = import_corpus(
        slug="a", name="", files=[CorpusFile(path)], choices=choose(unreadable_row="skip")
    )
    assert report.added["topics"] == 3
    assert report.warnings[0].line == 3


ANSWERS = [
    {"question": "Why?", "answer": "One.", "system": "A"},
    {"question": "Why?", "answer": "Two.", "system": ""},
    {"question": "Why?", "answer": "Three.", "system": None},
]


@pytest.mark.parametrize(
    ("choice", "systems"),
    [({}, ["A", None, None]),
     ({"blank_system": {"remedy": "replace", "value": "B"}}, ["A", "B", "B"]),
     ({"blank_system": "skip"}, ["A"])],
)  # fmt: skip
def test_answers_without_a_system_are_counted_and_get_one_or_are_skipped(bring, choice, systems):
    report = bring(table=ANSWERS, origin="llm", unknown_systems="make", choices=choose(**choice))
    found = Response.objects.order_by("pk").values_list("system__key", flat=True)
    assert list(found) == systems
    assert report.problems.count_of(Problem.BLANK_SYSTEM) == 2


def test_origin_of_an_answer_is_mapped_by_system_or_its_row_skipped(bring):
    values = {"A": "llm", "": ""}
    bring(
        table=ANSWERS,
        unknown_systems="make",
        choices=choose(missing_origin={"remedy": "map", "values": values}),
    )
    assert list(Response.objects.values_list("text", "origin")) == [("One.", "llm")]


def test_origins_of_a_remedy_are_those_of_answers():
    assert set(PROBLEMS[Problem.MISSING_ORIGIN].accepted) == set(Origin.values)
    with pytest.raises(BadChoice):
        choose(missing_origin={"remedy": "replace", "value": "martian"})


RUN = b"t1 Q0 p0 1 n/a bm25\nt1 Q0 p1 x 3 bm25\nq9 Q0 p0 1 3 bm25\nt1 Q0 gone 1 1 dense\n"


def test_values_of_a_run_are_mapped_or_replaced(tmp_path, bring):
    bring(topics=[TOPIC], passages=PASSAGES)
    path = tmp_path / "a.run"
    path.write_bytes(RUN)
    choices = choose(
        unknown_value={"remedy": "map", "values": {"n/a": "9.5", "x": "2"}},
        missing_topic="skip",
        missing_passage={"remedy": "map", "values": {"gone": PASSAGES[0]["passage"]}},
    )
    slug = Topic.objects.get().corpus.slug
    report = import_corpus(slug=slug, name="", files=[CorpusFile(path)], choices=choices)
    ranked = Ranking.objects.order_by("system__key", "rank").values_list("system__key", "score")
    assert list(ranked) == [("bm25", 9.5), ("bm25", 3.0), ("dense", 1.0)]
    assert report.problems.count_of(Problem.UNKNOWN_VALUE) == 2


# -- Any table, any choice ---------------------------------------------------------------------
ROWS = st.fixed_dictionaries(
    {
        "question": st.sampled_from([*ALIKE[:2], "Who?", " "]),
        "system": st.sampled_from(["A", "B", ""]),
        "answer": st.sampled_from(["", " ", "Yes.", "Yes [0].", "No [7]."]),
        "passages": st.sampled_from(["", '["p"]', "['a''b']", '["p", "q"]']),
        "style": st.sampled_from(["", "free", "ode"]),
        "response": st.sampled_from(["", "", "r1", "r2"]),
    }
)
MAPPED = {"ode": "essay", "": ""}


def _filling(declared):
    return declared.accepted[0] if declared.accepted else "filled"


def _mapping(declared):
    return {"A": declared.accepted[0]} if declared.accepted else MAPPED


MADE = st.fixed_dictionaries(
    {
        problem.value: st.sampled_from([*declared.remedies * 3, Remedy.ASK]).map(
            lambda remedy, declared=declared: {
                "remedy": remedy.value,
                "value": _filling(declared) if remedy is Remedy.REPLACE else "",
                "values": _mapping(declared) if remedy is Remedy.MAP else {},
            }
        )
        for problem, declared in PROBLEMS.items()
    }
)


@given(rows=st.lists(ROWS, min_size=1, max_size=6), made=MADE)
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_check_and_import_of_any_table_agree_and_change_no_text(tmp_path, rows, made):
    path = tmp_path / "a.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)

    def brought(is_kept):
        with transaction.atomic():
            try:
                report = import_corpus(
                    slug="any",
                    name="",
                    files=[CorpusFile(path)],
                    origin="llm",
                    unknown_systems="make",
                    choices=RemedyChoices.from_json(made),
                )
            except ImportRefused as refused:
                return refused.report, {}
            stored = contents()
            transaction.set_rollback(not is_kept)
        return report, stored

    with transaction.atomic():
        before = contents()
        checked, _ = brought(is_kept=False)
        assert contents() == before
        imported, stored = brought(is_kept=True)
        transaction.set_rollback(True)
    choices = RemedyChoices.from_json(made)
    assert imported.added == checked.added
    assert json.dumps(imported.problems.as_json(choices)) == json.dumps(
        checked.problems.as_json(choices)
    )
    if imported.bad_line_count:
        assert stored == {}
        return
    answers = {row["answer"] for row in rows} | {"filled"}
    assert {row["text"] for row in stored["Response"]} <= answers
    assert all(row["is_empty"] is not bool(row["text"].strip()) for row in stored["Response"])
    skipped = sum(
        imported.problems.count_of(problem)
        for problem in PROBLEMS
        if choices[problem].remedy is Remedy.SKIP and problem is not Problem.DUPLICATE_ROW
    )
    repeated = imported.repeated["response"]
    assert len(stored["Response"]) + skipped + repeated == imported.rows["a.csv"]
