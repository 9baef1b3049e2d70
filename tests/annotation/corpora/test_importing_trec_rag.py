"""Topics and answers of TREC RAG, as the tracks of 2024 and 2025 have them."""

import pytest

from annotation.corpora.remedies import RemedyChoices
from annotation.models import Response, Segment, Topic
from judging.design.plans import plans_of
from tests.cast import draft_study
from tests.hooks import outlined

pytestmark = [pytest.mark.storage, pytest.mark.django_db]

TOPICS = [{"id": "1", "title": "How did industry begin?"}, {"id": 2, "narrative": "Of prisons."}]
SEGMENTS = ["msmarco_v2.1_doc_16#3", "msmarco_v2.1_doc_14#9", "msmarco_v2.1_doc_12#0"]
PASSAGES = [
    {"topic": "1", "passage": key, "rank": rank, "text": f"Text {rank}."}
    for rank, key in enumerate(SEGMENTS, start=1)
]
# The fields and the shape of the track guidelines; the sentences are made up.
OF_2024 = {
    "run_id": "baseline",
    "topic_id": "1",
    "topic": "How did industry begin?",
    "references": [SEGMENTS[2], SEGMENTS[0]],
    "response_length": 9,
    "answer": [
        {"text": "It began in Britain.", "citations": [1, 0, 1]},
        {"text": "Coal helped.", "citations": []},
    ],
}
OF_2025 = {
    "metadata": {
        "team_id": "lamps",
        "run_id": "ours",
        "type": "automatic",
        "narrative_id": 1,
        "narrative": "How did industry begin?",
        "prompt": "Say it.",
    },
    "references": SEGMENTS,
    "answer": [
        {"text": "It began in Britain.", "citations": [SEGMENTS[2]]},
        {"text": "Coal helped.", "citations": [0]},
    ],
}


def test_topics_have_a_title_a_narrative_or_both(bring):
    both = {"id": "3", "title": "Lamps", "narrative": "I want to know of lamps."}
    bring(topics=[*TOPICS, both])
    assert list(Topic.objects.values_list("key", "query", "description")) == [
        ("1", "How did industry begin?", ""),
        ("2", "Of prisons.", ""),
        ("3", "Lamps", "I want to know of lamps."),
    ]


@pytest.fixture
def pool(bring):
    bring(topics=TOPICS)
    bring(passages=PASSAGES)


@pytest.mark.usefixtures("pool")
def test_answers_of_both_years_are_responses_that_cite_the_pool(bring):
    report = bring(a2024=[OF_2024], a2025=[OF_2025], origin="llm")
    assert report.added == {"systems": 2, "responses": 2}
    texts = Response.objects.values_list("key", "system__key", "style", "text")
    assert list(texts.order_by("key")) == [
        ("1/baseline", "baseline", "free", "It began in Britain. [0, 2] Coal helped."),
        ("1/ours", "ours", "free", "It began in Britain. [2] Coal helped. [0]"),
    ]
    cited = Response.objects.get(key="1/ours").citations
    assert list(cited.values_list("passage__key", flat=True)) == [SEGMENTS[2], SEGMENTS[0]]
    again = bring(a2024=[OF_2024], a2025=[OF_2025], origin="llm")
    assert (again.added, again.unchanged["responses"]) == ({}, 2)


@pytest.mark.usefixtures("pool")
def test_two_answers_of_a_run_with_the_same_words_in_other_sentences_are_named(refused):
    parts = (
        [{"text": "One. Two.", "citations": []}],
        [
            {"text": "One.", "citations": []},
            {"text": "Two.", "citations": []},
        ],
    )
    whole, apart = (OF_2025 | {"answer": answer} for answer in parts)
    assert outlined(
        refused(answers=[whole, apart], origin="llm"),
        "answers.jsonl:2: answer: '1/ours' … duplicate … answers.jsonl:1",
    )


@pytest.mark.usefixtures("pool")
def test_their_sentences_are_statements_with_what_they_cite(bring):
    bring(answers=[OF_2025], origin="llm")
    found = [
        (segment.line, segment.text, [passage.key for passage in segment.cited.all()])
        for segment in Segment.objects.order_by("line")
    ]
    assert found == [
        (1, "It began in Britain.", [SEGMENTS[2]]),
        (2, "Coal helped.", [SEGMENTS[0]]),
    ]
    study = draft_study(corpus=Response.objects.get().corpus, instrument="statement-support")
    (plan,) = plans_of(study=study, seed=1, items_per_questionnaire=5, quota=1)
    assert len(plan.design.items) == 2


@pytest.mark.usefixtures("pool")
def test_what_is_wrong_with_an_answer_is_named(bring, refused):
    def but(**change):
        return OF_2024 | change

    beyond = [{"text": "So.", "citations": [2]}]
    found = refused(
        origin="llm",
        answers=[
            but(topic_id="7"),
            but(answer=beyond),
            but(references=["elsewhere#1", SEGMENTS[0]]),
            but(run_id=None),
            but(answer=[]),
        ],
    )
    assert outlined(
        found,
        "answers.jsonl:4: run_id: … empty",
        "answers.jsonl:1: citations: … 7/baseline … msmarco_v2.1_doc_16#3, msmarco_v2.1_doc_12#0"
        " … topic 7",
        "answers.jsonl:2: citations: … [2] … 2 references … 0",
        "answers.jsonl:3: citations: … 1/baseline … elsewhere#1 … topic 1",
    )


@pytest.mark.usefixtures("pool")
def test_segments_that_the_pool_lacks_may_be_left_out(bring):
    answer = OF_2024 | {"references": ["elsewhere#1", SEGMENTS[0]]}
    report = bring(answers=[answer], origin="llm", unknown_citations="report")
    assert outlined(
        [str(warning) for warning in report.warnings],
        "answers.jsonl:1: citations: … 1/baseline … elsewhere#1 … topic 1",
    )
    assert Response.objects.get().text == "It began in Britain. [0] Coal helped."


@pytest.mark.usefixtures("pool")
def test_brackets_of_a_sentence_cite_nothing_and_its_white_space_stays(bring):
    parts = [
        {"text": "Use a[0].\n\n", "citations": [1]},
        {"text": "Then [1]."},
        {"text": " End.", "citations": [0]},
    ]
    bring(answers=[OF_2024 | {"answer": parts}], origin="llm")
    response = Response.objects.get()
    assert response.text == "Use a[0]. [0]\n\nThen [1]. End. [2]"
    assert response.marks == [[10, 13, 0], [30, 33, 2]]
    cited = response.citations.order_by("position").values_list("passage__key", flat=True)
    assert list(cited) == [SEGMENTS[0], SEGMENTS[2]]


@pytest.mark.usefixtures("pool")
def test_an_import_by_command_may_leave_empty_answers_out(bring):
    silent = OF_2024 | {"run_id": "silent", "answer": []}
    choices = RemedyChoices.from_json({"empty_answer": "skip"})
    report = bring(answers=[OF_2024, silent], origin="llm", choices=choices)
    assert [warning.place for warning in report.warnings] == ["answers.jsonl:2"]
    assert Response.objects.get().key == "1/baseline"
