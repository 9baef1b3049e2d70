"""Labels in files of other systems: votes, ratings and classes, by the columns of label files.

The shapes are those of published files; names and texts are ours.
"""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.corpora.formats import (
    argilla,
    conversations,
    fastchat,
    judgments,
    label_studio,
    pairs,
    translations,
    votes,
)
from annotation.corpora.formats.file_format import (
    FaultyRow,
    FileSample,
    ForeignLabel,
    LeftOutCounts,
)
from annotation.corpora.formats.registry import recognised_formats
from annotation.corpora.reading.source_rows import SourceRow

QUESTION, ANSWERS = "Why is the sea salty?", ("Rivers bring salt.", "Because it is so.")
PAIR = {"prompt": QUESTION, "answer1": ANSWERS[0], "answer2": ANSWERS[1]}
ON_PAIR = {"topic", "response_a", "response_b"}


def read(*rows):
    sample = FileSample(rows=rows, names=list(dict.fromkeys(name for row in rows for name in row)))
    file_format = recognised_formats(sample)[0][0]
    sources = [SourceRow(number, number, row) for number, row in enumerate(rows, start=1)]
    return file_format.name, list(file_format.reader(sources))


def labels(items):
    return [item.values for item in items if isinstance(item, ForeignLabel)]


def texts(items):
    return [
        (item.values.get("system"), item.values["text"])
        for item in items
        if getattr(item, "kind", "") == "responses"
    ]


# -- Label Studio ----------------------------------------------------------------------------------
def task(data, *results, by=7, **more):
    annotation = {"completed_by": by, "result": list(results), "created_at": "2026-03-02T09:00:00Z"}
    return {"id": 3, "data": data, "annotations": [annotation | more], "predictions": []}


def result(name, kind, value, to="text"):
    return {"from_name": name, "to_name": to, "type": kind, "value": value}


@pytest.mark.parametrize(
    ("kind", "value", "answer"),
    [
        ("choices", {"choices": ["Good"]}, "Good"),
        ("rating", {"rating": 4}, "4"),
        ("number", {"number": 2.5}, "2.5"),
        ("textarea", {"text": ["fine"]}, "fine"),
        ("pairwise", {"selected": "left"}, "left"),
    ],
)
def test_a_result_of_label_studio_is_a_label_of_its_annotator(kind, value, answer):
    name, items = read(task({"text": "A lamp shines."}, result("quality", kind, value)))
    assert name == "label_studio"
    (label,) = labels(items)
    assert label == {
        "topic": "texts", "response": "texts/3", "question": "quality", "value": answer,
        "rater": "annotator 7", "answered_at": "2026-03-02T09:00:00Z",
    }  # fmt: skip


def test_a_pair_of_label_studio_is_two_answers_and_a_rating_is_of_one_of_them():
    _, items = read(
        task(
            PAIR,
            result("pw", "pairwise", {"selected": "right"}, to="answer1,answer2"),
            result("stars", "rating", {"rating": 5}, to="answer2"),
        )
    )
    assert texts(items) == [("answer1", ANSWERS[0]), ("answer2", ANSWERS[1])]
    vote, rating = labels(items)
    assert (vote["value"], vote.keys() >= ON_PAIR) == ("right", True)
    assert (rating["value"], rating["response"]) == ("5", vote["response_b"])


def test_an_address_of_an_annotator_is_not_kept():
    person = {"id": None, "email": "ann@example.org", "first_name": "Ann"}
    good = result("ok", "choices", {"choices": ["yes"]})
    _, items = read(task(PAIR, good, by="ann@example.org"), task(PAIR, good, by=person))
    assert "example.org" not in json.dumps(labels(items))
    assert "Ann" not in json.dumps(labels(items))


def test_spans_several_choices_and_skipped_annotations_are_counted():
    _, items = read(
        task(
            PAIR,
            result("ner", "labels", {"start": 1, "end": 2, "labels": ["X"]}),
            result("tags", "choices", {"choices": ["a", "b"]}),
        ),
        task(PAIR, result("ok", "choices", {"choices": ["a"]}), was_cancelled=True),
    )
    counts = [item.counts for item in items if isinstance(item, LeftOutCounts)]
    assert counts == [
        {label_studio.SPANS: 1, label_studio.SEVERAL: 1},
        {label_studio.CANCELLED: 1},
    ]
    assert not labels(items)


@pytest.mark.parametrize("cell", ["Good", '{"choices": ["Good"]}', {"choices": ["Good"]}])
def test_a_row_of_json_min_has_a_column_for_each_control(cell):
    row = PAIR | {
        "id": 3, "annotator": 7, "annotation_id": 1, "lead_time": 2.5,
        "created_at": "2026-03-02T09:00:00Z", "quality": cell,
    }  # fmt: skip
    name, items = read(row)
    assert name == "label_studio_min"
    (label,) = labels(items)
    assert (label["question"], label["value"], label["rater"]) == ("quality", "Good", "annotator 7")


def test_predictions_are_labels_of_a_model():
    row = task(PAIR)
    answer = result("ok", "choices", {"choices": ["yes"]})
    row["predictions"] = [{"model_version": "v2", "result": [answer]}]
    (label,) = labels(read(row)[1])
    assert (label["rater"], label["kind"]) == ("v2", "model")


def test_a_task_without_a_text_is_a_fault():
    _, items = read(task({"image": "https://example.org/a.png", "id": "x7"}))
    assert [type(item) for item in items] == [FaultyRow]


# -- Argilla ---------------------------------------------------------------------------------------
FIELDS = {"instruction": QUESTION, "response": ANSWERS[0]}
GIVEN = [("4", "u1"), ("2", "u2")]
ARGILLA = {
    "nested": {
        "id": "r1", "fields": FIELDS, "metadata": {"model": "Alpha"},
        "responses": {"quality": [{"value": int(v), "user_id": u} for v, u in GIVEN]},
        "suggestions": {"quality": {"value": 5, "agent": "judge"}},
    },
    "server": {
        "id": "r1", "fields": FIELDS, "metadata": {"model": "Alpha"},
        "responses": [
            {"values": {"quality": {"value": v}}, "status": "submitted", "user_id": u}
            for v, u in GIVEN
        ],
        "suggestions": [{"question_name": "quality", "value": 5, "agent": "judge"}],
    },
    "flat": FIELDS | {
        "id": "r1", "status": "completed", "model": "Alpha",
        "quality.responses": [v for v, _ in GIVEN],
        "quality.responses.users": [u for _, u in GIVEN],
        "quality.responses.status": ["submitted", "submitted"],
        "quality.suggestion": 5, "quality.suggestion.agent": "judge",
    },
    "old": FIELDS | {
        "model": "Alpha",
        "quality": [{"value": v, "user_id": u, "status": "submitted"} for v, u in GIVEN],
        "quality-suggestion": 5, "quality-suggestion-metadata": {"agent": "judge"},
    },
}  # fmt: skip


@pytest.mark.parametrize("shape", ARGILLA)
def test_a_record_of_argilla_has_responses_of_people_and_a_suggestion_of_a_model(shape):
    name, items = read(ARGILLA[shape])
    assert name == "argilla"
    assert texts(items) == [("Alpha", ANSWERS[0])]
    found = [(one["question"], one["value"], one["rater"]) for one in labels(items)]
    assert found == [
        ("quality", "4", "u1"),
        ("quality", "2", "u2"),
        ("quality", "5", "judge"),
    ]
    assert [one.get("kind") for one in labels(items)] == [None, None, "model"]


def test_drafts_and_rankings_of_argilla_are_counted():
    row = {
        "fields": FIELDS,
        "responses": [
            {"values": {"quality": {"value": 1}}, "status": "draft", "user_id": "u1"},
            {"values": {"order": {"value": [{"value": "a", "rank": 1}]}}, "user_id": "u2"},
        ],
    }
    _, items = read(row)
    (counts,) = [item.counts for item in items if isinstance(item, LeftOutCounts)]
    assert counts == {argilla.DRAFTS: 1, argilla.SEVERAL: 1}


# -- Translations ----------------------------------------------------------------------------------
def error(category, severity, rater="rater1", target="Das <v>Meer</v> ist salzig."):
    return {
        "system": "Alpha", "doc": "d1", "seg_id": "3", "rater": rater,
        "source": "The sea is salty.", "target": target, "category": category, "severity": severity,
    }  # fmt: skip


def test_errors_of_a_rater_in_a_segment_are_one_score():
    _, items = read(
        error("Accuracy/Mistranslation", "Major"),
        error("Fluency/Punctuation", "Minor"),
        error("Style/Awkward", "minor", target="Das Meer ist <v>salzig</v>."),
        error("Source error", "Major"),
        error("No-error", "No-error", rater="rater2"),
        error("Non-translation!", "Major", rater="rater3"),
    )
    assert texts(items) == [("Alpha", "Das Meer ist salzig.")]
    scores = {one["rater"]: one["value"] for one in labels(items)}
    assert scores == {"rater1": "-6.1", "rater2": "0", "rater3": "-25"}


def test_a_score_of_esa_is_a_label_of_its_annotator():
    row = {
        "langs": "en-de", "line_id": 4, "doc_id": "d1", "src": "The sea.", "tgt": "Das Meer.",
        "system": "Alpha", "annotator": "x7", "esa_score": 87, "esa_spans": [],
    }  # fmt: skip
    name, items = read(row)
    assert name == "translations"
    assert labels(items) == [
        {"topic": "en-de/d1/4", "response": "en-de/d1/4/Alpha", "rater": "x7", "value": "87"}
    ]


# -- Votes, and judgments without texts ------------------------------------------------------------
@pytest.mark.parametrize(
    ("row", "vote"),
    [
        ({"winner": "model_a"}, "model_a"),
        ({"winner": "model_2"}, "b"),
        ({"winner": "tie (bothbad)"}, "tie (bothbad)"),
        ({"winner_model_a": 0, "winner_model_b": 1, "winner_tie": 0}, "b"),
        ({"winner_model_a": "False", "winner_model_b": "False", "winner_tie": "True"}, "tie"),
        ({"g1_winner": "model_1", "g2_winner": "model_1"}, "a"),
        ({"g1_winner": "model_1", "g2_winner": "model_2"}, "tie"),
        ({"g1_winner": "error", "g2_winner": "model_2"}, "error"),
        ({"preference": 1.0000004}, "a"),
        ({"preference": "2"}, "b"),
        ({"preference": 1.5}, "tie"),
        ({"preference": "A"}, "A"),
        ({"winner": ""}, ""),
        ({"winner": ["x"]}, ""),
        ({}, ""),
    ],
)
def test_a_vote_is_read_however_it_is_written(row, vote):
    broken = vote == "error"
    assert (votes.vote_of(row) in ("error", "b")) if broken else votes.vote_of(row) == vote


@pytest.mark.parametrize(
    ("row", "label"),
    [
        (
            {"question_id": 81, "model_1": "A", "model_2": "B", "g1_winner": "model_1",
             "g2_winner": "model_1", "judge": ["gpt-4", "pair-v2"], "turn": 2, "tstamp": 1.7e9},
            {"topic": "81", "model_a": "A", "model_b": "B", "turn": "2", "value": "a",
             "rater": "gpt-4 pair-v2", "kind": "model"},
        ),
        (
            {"question_id": 81, "model": "A", "judge": ["gpt-4", "single-v1"], "score": 9,
             "turn": 1},
            {"topic": "81", "system": "A", "turn": "1", "value": "9",
             "rater": "gpt-4 single-v1", "kind": "model"},
        ),
        (
            {"question_id": 81, "model_a": "A", "model_b": "B", "judge_id": "x", "winner": "B"},
            {"topic": "81", "model_a": "A", "model_b": "B", "value": "B", "rater": "x"},
        ),
        (
            {"qid": "q1", "agent_a": "A", "agent_b": "B", "raw_answer": "So [[C]]", "answer": "C"},
            {"topic": "q1", "model_a": "A", "model_b": "B", "value": "tie", "kind": "model"},
        ),
        (
            {"qid": "q1", "did": "d1", "raw_answer": "{1}", "answer": "1"},
            {"topic": "q1", "passage": "d1", "value": "1", "kind": "model"},
        ),
        (
            {"qid": "q1", "agent": "A", "raw_answer": "…", "quality": "2"},
            {"topic": "q1", "system": "A", "question": "quality", "value": "2", "kind": "model"},
        ),
    ],
)  # fmt: skip
def test_a_judgment_without_texts_names_its_models(row, label):
    name, items = read(row)
    assert name == "judgments"
    (found,) = labels(items)
    assert {key: found[key] for key in label} == label


def test_two_scores_of_a_row_are_those_of_its_turns():
    row = {"question_id": 81, "model_id": "A", "judge_id": "x", "score_turn1": 8.0,
           "score_turn2": 7.0}  # fmt: skip
    assert [(one["turn"], one["value"]) for one in labels(read(row)[1])] == [
        ("1", "8.0"),
        ("2", "7.0"),
    ]


def test_a_winner_of_two_conversations_is_a_vote():
    talk = [[{"role": "user", "content": QUESTION}, {"role": "assistant", "content": text}]
            for text in ANSWERS]  # fmt: skip
    row = {"question_id": "q1", "model_a": "A", "model_b": "B", "winner": "model_b",
           "judge": "expert_1", "turn": 1, "conversation_a": talk[0],
           "conversation_b": talk[1]}  # fmt: skip
    name, items = read(row)
    assert name == "conversations"
    assert labels(items) == [
        {"topic": "q1", "response_a": "q1/A", "response_b": "q1/B", "value": "model_b",
         "rater": "expert_1"}
    ]  # fmt: skip


# -- Anything --------------------------------------------------------------------------------------
FORMATS = (label_studio.TASKS, label_studio.MINIMAL, argilla.FORMAT, translations.FORMAT,
           judgments.FORMAT, pairs.FORMAT, conversations.CONVERSATIONS, fastchat.ANSWERS,
           fastchat.QUESTIONS)  # fmt: skip
NAMES = [*ARGILLA["server"], *ARGILLA["flat"], *ARGILLA["old"], *task(PAIR), *error("a", "b"),
         "question_id", "model_1", "model_2", "g1_winner", "g2_winner", "judge", "score", "turn",
         "turns", "choices", "model_id", "raw_answer", "answer", "annotator", "annotation_id",
         "lead_time", "result", "value", "completed_by", "from_name", "values"]  # fmt: skip
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.lists(st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=8) | VALUES, max_size=4))
def test_any_rows_are_read_or_faults(rows):
    sources = [SourceRow(number, number, row) for number, row in enumerate(rows, start=1)]
    recognised_formats(FileSample(rows=rows, names=NAMES))
    for file_format in FORMATS:
        for item in file_format.reader(sources):
            if isinstance(item, ForeignLabel):
                assert all(isinstance(value, str) for value in item.values.values())
                assert item.values["value"]
