"""One table of answers is a corpus: topics from questions, systems from names, responses."""

import re

import pytest

from annotation.corpora.importing import ImportRefused
from annotation.corpora.remedies import Problem
from annotation.models import Citation, Corpus, Passage, Response, System, Topic
from tests.hooks import outlined

pytestmark = [pytest.mark.django_db, pytest.mark.storage]

ROW = {"question": "Why do leaves turn red?", "system": "Bing", "answer": "Because of sugar."}
OTHER = {"question": "Do bees sleep?", "system": "Bing", "answer": "They do."}
ROWS = [
    ROW,
    OTHER,
    ROW | {"system": "You", "answer": "It is sugar."},
    OTHER | {"system": "You", "answer": "Yes."},
]


def keys(model) -> list[str]:
    return list(model.objects.order_by("pk").values_list("key", flat=True))


@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
def test_topics_systems_and_responses_come_from_one_table(bring, suffix):
    report = bring(suffix=suffix, table=ROWS, origin="llm")
    assert keys(Topic) == ["topic-1", "topic-2"]
    assert keys(System) == ["Bing", "You"]
    assert keys(Response) == [
        *("topic-1/Bing", "topic-2/Bing", "topic-1/You", "topic-2/You"),
    ]
    assert Topic.objects.get(key="topic-2").query == "Do bees sleep?"
    assert report.added == {"topics": 2, "systems": 2, "responses": 4}
    assert "Bing, You" in report.remarks[0]
    again = bring(suffix=suffix, table=ROWS, origin="llm")
    assert again.added == {}
    assert again.unchanged["responses"] == 4


def test_a_question_of_the_corpus_keeps_its_topic_and_new_ones_go_on(bring):
    bring(topics=[{"topic": "t7", "query": "Do bees sleep?"}, {"topic": "topic-4", "query": "?"}])
    bring(table=ROWS, origin="llm")
    assert keys(Topic) == ["t7", "topic-4", "topic-5"]
    assert keys(Response)[:2] == ["topic-5/Bing", "t7/Bing"]


def test_a_further_answer_of_a_system_gets_a_number(bring):
    bring(table=[ROW, ROW | {"answer": "Of frost."}, ROW], origin="llm")
    assert keys(Response) == ["topic-1/Bing", "topic-1/Bing/2"]
    bring(table=[ROW | {"answer": "Of cold."}, ROW], origin="llm")
    assert keys(Response) == ["topic-1/Bing", "topic-1/Bing/2", "topic-1/Bing/3"]


def test_people_have_no_system(bring):
    row = {"question": "Do bees sleep?", "answer": "Yes."}
    bring(table=[row, row | {"answer": "No."}], origin="human")
    assert keys(Response) == ["topic-1/response", "topic-1/response/2"]
    assert not System.objects.exists()


def test_ids_that_are_there_stay_and_contradictions_name_both_lines(bring, refused):
    row = ROW | {"topic": "q1", "response": "a"}
    complaints = refused(table=[row, OTHER | {"topic": "q1"}], origin="llm")
    assert outlined(complaints, "table.jsonl:2: topic: 'q1' … duplicate … table.jsonl:1")
    bring(table=[row, ROW | {"topic": "q1", "system": "You"}], origin="llm")
    assert keys(Topic) == ["q1"]
    assert keys(Response) == ["a", "q1/You"]


def test_passages_may_name_the_topics_of_a_table(bring, refused):
    table = [row | {"topic": row["question"][0]} for row in ROWS]
    passages = [{"topic": "D", "passage": "p", "text": "Bees rest."}]
    rows = [*table, OTHER | {"topic": "W"}]
    complaints = refused(table=rows, passages=passages, origin="llm")
    assert outlined(complaints, "table.jsonl:5: topic: 'W' … duplicate … table.jsonl:1")
    report = bring(table=table, passages=passages, origin="llm")
    assert report.added == {"topics": 2, "passages": 1, "systems": 2, "responses": 4}


# -- What answers cite ---------------------------------------------------------------------------
@pytest.mark.parametrize(
    "passages",
    [
        ["Sugar.", "Frost."],
        [{"text": "Sugar.", "url": "https://a"}, {"id": 2, "content": "Frost."}],
        '["Sugar.", "Frost."]',
        "['Sugar.', 'Frost.']",
        "[1] Sugar.\n[2] Frost.\n",
    ],
)
def test_what_an_answer_came_with_is_in_the_pool_of_its_topic(bring, passages):
    cited = ROW | {"citations_from": "1"}
    rows = [
        cited | {"answer": "Red [2].", "passages": ["Cold.", "Frost."]},
        cited | {"answer": "Sugar [1] and frost [1, 2].", "passages": passages, "system": "You"},
    ]
    bring(table=rows, origin="llm")
    texts = list(Passage.objects.order_by("rank").values_list("text", flat=True))
    assert texts == ["Cold.", "Frost.", "Sugar."]
    second = Response.objects.get(key="topic-1/You")
    cites = Citation.objects.filter(response=second).order_by("position")
    assert [cite.passage.text for cite in cites] == ["Sugar.", "Sugar.", "Frost."]
    assert second.text == "Sugar [1] and frost [1, 2]."
    assert second.marks == [[6, 9, 2], [20, 26, 2, 1]]
    bring(table=rows, origin="llm")
    assert Response.objects.count() == 2


def test_a_text_that_is_the_key_of_a_passage_is_that_passage(bring):
    passages = [{"topic": "t", "passage": f"d{n}", "text": f"Text {n}."} for n in (1, 2)]
    row = ROW | {"topic": "t", "answer": "So [0].", "passages": ["d2"]}
    bring(table=[row], passages=passages, origin="llm")
    response = Response.objects.get()
    assert (response.text, response.marks) == ("So [0].", [[3, 6, 1]])
    assert Citation.objects.get().passage.key == "d2"


def test_citations_of_what_an_answer_did_not_come_with_are_refused_or_left_out(bring, refused):
    row = ROW | {"answer": "Sugar [0][7].", "passages": ["Sugar."]}
    assert outlined(refused(table=[row], origin="llm"), "table.jsonl:1: passages: … [7] … 1")
    report = bring(table=[row], origin="llm", unknown_citations="report")
    response = Response.objects.get()
    assert (response.text, response.marks) == ("Sugar [0][7].", [[6, 9, 0]])
    assert report.warning_count == 1


def test_citations_from_1_cannot_cite_0(refused):
    row = ROW | {"answer": "Sugar [0].", "citations_from": "1"}
    assert outlined(refused(table=[row], origin="llm"), "table.jsonl:1: answer: … [0] … from 1")


def test_blank_answers_are_kept_as_empty_and_counted(bring):
    report = bring(table=[ROW, OTHER | {"answer": " "}], origin="llm")
    assert report.problems.count_of(Problem.EMPTY_ANSWER) == 1
    rows = Response.objects.order_by("pk").values_list("text", "is_empty")
    assert list(rows) == [(ROW["answer"], False), (" ", True)]


def test_a_table_with_tabs_has_a_header(tmp_path):
    from annotation.corpora.corpus_files import CorpusFile
    from annotation.corpora.importing import import_corpus

    path = tmp_path / "answers.tsv"
    path.write_text("question\tsystem\tanswer\nwhy?\tBing\tso\n")
    import_corpus(slug="leaves", name="", files=[CorpusFile(path)], origin="llm")
    assert keys(Response) == ["topic-1/Bing"]


def test_files_beside_a_table_may_say_more_of_its_topics_and_passages(bring):
    topics = [{"topic": "t", "query": ROW["question"], "description": "Colours."}]
    passages = [{"topic": "t", "passage": "d", "rank": 1, "title": "Leaf", "text": "Sugar."}]
    row = ROW | {"topic": "t", "answer": "So [0].", "passages": [{"id": "d", "text": "Sugar."}]}
    report = bring(topics=topics, passages=passages, table=[row], origin="llm")
    assert report.added == {"topics": 1, "passages": 1, "systems": 1, "responses": 1}
    assert report.repeated == {}
    again = bring(table=[row], origin="llm")
    assert again.unchanged == {"topics": 1, "passages": 1, "responses": 1}


def test_another_text_of_a_passage_is_a_fault(refused):
    rows = [ROW | {"passages": [{"id": "d", "text": text}], "system": text} for text in "ab"]
    assert outlined(
        refused(table=rows, origin="llm"),
        "table.jsonl:2: passages: 'd' … duplicate … topic 'topic-1' … table.jsonl:1",
    )


# -- Word for word again -------------------------------------------------------------------------
def test_rows_that_stand_again_are_taken_once_and_counted(bring):
    topic = {"topic": "t1", "query": "why?"}
    passage = {"topic": "t1", "passage": "p", "rank": 1, "text": "Sugar."}
    report = bring(topics=[topic, topic, topic], passages=[passage, passage])
    assert (Topic.objects.count(), Passage.objects.count()) == (1, 1)
    assert report.repeated == {"topic": 2, "passage": 1}
    (remark,) = report.remarks
    assert re.findall(r"\d \w+|\S+:\d", remark) == [
        *("1 passage", "2 topic", "topics.jsonl:2", "topics.jsonl:1"),
    ]


def test_a_table_may_repeat_its_questions_without_remark(bring):
    assert bring(table=[ROW, ROW | {"system": "You"}], origin="llm").repeated == {}


def test_nothing_of_a_refused_table_stays(bring):
    with pytest.raises(ImportRefused):
        bring(table=ROWS)  # nobody says who wrote them
    assert not Corpus.objects.exists()


@pytest.mark.parametrize(
    "cell", ["[{[]: 1}]", "['Sugar.' ... 'Light.']", "['Sugar.''Light.']", "['Sugar.', None]"]
)
def test_a_list_that_cannot_be_read_is_no_text(refused, cell):
    (said,) = refused(table=[ROW | {"passages": cell}], origin="llm")
    assert said.startswith("table.jsonl:1: passages: is unreadable")


def test_a_list_as_numpy_prints_it_has_a_passage_on_each_line(bring):
    cell = "['Rivers carry salts.'\n \"It's the sun.\"]"
    bring(table=[ROW | {"passages": cell}], suffix=".csv", origin="llm")
    assert set(Passage.objects.values_list("text", flat=True)) == {
        "Rivers carry salts.",
        "It's the sun.",
    }


# -- What names a topic by its question ----------------------------------------------------------
LONG = "Is intermittent fasting good? " + "And why? " * 40


@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
def test_passages_and_responses_may_name_a_topic_by_its_question(bring, suffix):
    table = [ROW, OTHER, ROW | {"question": LONG}]
    passages = [
        {"topic": OTHER["question"], "passage": "1", "text": "Bees rest."},
        {"topic": "topic-2", "passage": "2", "text": "At night."},
        {"topic": LONG, "passage": "1", "text": "Perhaps."},
    ]
    responses = [{"response": "r", "topic": f" {OTHER['question']}", "text": "So [1]."}]
    for is_new in (True, False):
        report = bring(
            suffix=suffix, table=table, passages=passages, responses=responses, origin="llm"
        )
        assert report.bad_line_count == 0
        assert ("passages" in report.added) is is_new
    pool = Passage.objects.order_by("topic", "rank").values_list("topic__key", "key", "rank")
    assert list(pool) == [("topic-2", "1", 1), ("topic-2", "2", 2), ("topic-3", "1", 1)]
    assert Response.objects.get(key="r").topic.key == "topic-2"
    assert Citation.objects.get().passage.key == "2"


def test_a_passage_named_by_the_id_and_by_the_question_is_one_passage(refused):
    passages = [
        {"topic": topic, "passage": "p", "text": topic} for topic in ("topic-1", ROW["question"])
    ]
    (said,) = refused(table=[ROW], passages=passages, origin="llm")
    assert re.search(r"'p' .*'topic-1'", said)


def test_an_id_comes_before_a_question_and_a_question_of_two_topics_names_none(bring, refused):
    topics = [
        {"topic": "a", "query": "b"},
        {"topic": "b", "query": "twice?"},
        {"topic": "c", "query": "twice?"},
    ]
    bring(topics=topics, passages=[{"topic": "b", "passage": "p", "text": "x"}])
    assert Passage.objects.get().topic.key == "b"
    said = refused(passages=[{"topic": "twice?", "passage": "p", "text": "x"}])
    assert said == ["passages.jsonl:1: topic: 'twice?' not found"]


def test_a_missing_topic_is_told_with_the_ids_that_were_made(refused, bring):
    passages = [{"topic": f"{n}?", "passage": "p", "text": "x"} for n in "ab"]
    said = refused(table=[ROW], passages=passages, origin="llm")
    assert outlined(
        said,
        "passages.jsonl:1: topic: 'a?' not found … “topic-1”",
        "passages.jsonl:2: topic: 'b?' not found … “topic-1”",
    )
    with pytest.raises(ImportRefused) as refusal:
        bring(table=[ROW], passages=passages, origin="llm")
    [(field, reason)] = refusal.value.report.reasons
    assert field == "topic"
    assert reason == "…" + said[0].partition("'a?'")[2]


def test_what_is_too_long_for_an_id_and_no_question_names_no_topic(refused):
    (said,) = refused(
        table=[ROW], passages=[{"topic": LONG, "passage": "p", "text": "x"}], origin="llm"
    )
    assert "And why? " in said
    assert LONG not in said
    assert said.endswith("such as “topic-1”")
