"""Conversations as chat programs and data sets have them: the last turn is the response."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.corpora.formats.conversations import CONVERSATIONS
from annotation.corpora.formats.file_format import FaultyRow, FileSample, FormatRow
from annotation.corpora.formats.registry import recognised_formats
from annotation.corpora.importing import import_corpus
from annotation.corpora.reading.source_rows import SourceRow
from annotation.corpora.row_kinds import RowKind
from annotation.models import Response, Topic
from tests.annotation.corpora.small_corpora import write


def turn(role, content):
    return {"role": role, "content": content}


def talk(*contents):
    """Return turns of the user and the assistant by turns."""
    return [turn(("user", "assistant")[n % 2], content) for n, content in enumerate(contents)]


def shared(turns):
    names = {"user": "human", "assistant": "gpt", "system": "system"}
    return [{"from": names[one["role"]], "value": one["content"]} for one in turns]


def read(*rows):
    return list(CONVERSATIONS.reader([SourceRow(n, n, row) for n, row in enumerate(rows, 1)]))


def responses(*rows):
    return [
        row.values
        for row in read(*rows)
        if isinstance(row, FormatRow) and row.kind is RowKind.RESPONSES
    ]


def topics(*rows):
    return [row.values for row in read(*rows) if getattr(row, "kind", "") is RowKind.TOPICS]


FOUR = talk("Write a haiku.", "leaves", "In German.", "Blätter")
OTHER = talk("Write a haiku.", "sea", "In German.", "Meer")


@pytest.mark.parametrize(
    ("row", "keys"),
    [
        ({"messages": FOUR}, {}),
        ({"id": "t1", "system": "a", "messages": FOUR}, {"topic": "t1", "system": "a"}),
        (
            {"conversation_id": "c1", "model": "m", "conversation": FOUR, "turn": 2},
            {"topic": "c1", "system": "m"},
        ),
        ({"id": "identity_0", "conversations": shared(FOUR)}, {"topic": "identity_0"}),
        ({"id": 7, "conversations": json.dumps(shared(FOUR))}, {"topic": "7"}),
        ({"id": 7, "messages": str(FOUR)}, {"topic": "7"}),
        ({"prompt_id": "p", "prompt": FOUR[:3], "completion": "Blätter"}, {"topic": "p"}),
        ({"messages": FOUR[:3], "response": "Blätter", "model": "m"}, {"system": "m"}),
    ],
    ids=["openai", "case", "lmsys", "sharegpt", "json cell", "python cell", "prompt", "open end"],
)
def test_shape_is_recognised_and_its_last_turn_is_the_response(row, keys):
    (found, signature), *others = recognised_formats(FileSample(rows=[row], names=list(row)))
    assert (found, signature.score, others) == (CONVERSATIONS, 1, [])
    (values,) = responses(row)
    assert values["text"] == "Blätter"
    assert values["messages"] == FOUR
    assert {name: values[name] for name in keys} == keys
    assert topics(row) == [{"topic": values["topic"], "query": "Write a haiku."}]


@pytest.mark.parametrize(
    ("row", "systems"),
    [
        (
            {"question_id": 81, "model_a": "gpt", "model_b": "llama", "winner": "model_a"}
            | {"judge": "expert_0", "conversation_a": FOUR, "conversation_b": OTHER, "turn": 2},
            ["gpt", "llama"],
        ),
        ({"prompt": "Write a haiku.", "chosen": FOUR, "rejected": OTHER}, ["chosen", "rejected"]),
        (
            {"prompt": FOUR[:3], "chosen": FOUR[3:], "rejected": turn("assistant", "Meer")},
            ["chosen", "rejected"],
        ),
    ],
    ids=["arena", "whole", "answers"],
)
def test_row_with_two_conversations_brings_two_responses(row, systems):
    both = responses(row)
    assert [values["system"] for values in both] == systems
    assert [values["text"] for values in both] == ["Blätter", "Meer"]
    assert len({values["topic"] for values in both}) == len(topics(row)) == 1
    assert all(values["messages"][0] == FOUR[0] for values in both)


def spoken(turns):
    names = {"user": "user", "assistant": "agent"}
    return [{"speaker": names[one["role"]], "text": one["content"]} for one in turns]


def test_tasks_of_mtrag_are_responses_with_their_targets_and_topics_without():
    task = {"conversation_id": "c", "task_id": "c::2", "turn": 2, "input": spoken(FOUR[:3])}
    (values,) = responses(task | {"targets": spoken(FOUR[3:])})
    assert (values["topic"], values["messages"]) == ("c::2", FOUR)
    first = {"conversation_id": "c", "task_id": "c::1", "turn": 1, "input": spoken(FOUR[:1])}
    assert topics(first, task) == [
        {"topic": "c::1", "query": "Write a haiku."},
        {"topic": "c::2", "query": "In German.", "messages": FOUR[:3]},
    ]


def test_first_turn_that_is_judged_has_a_topic_of_its_own():
    pair = {"question_id": 81, "model_a": "gpt", "model_b": "llama"}
    pair |= {"conversation_a": FOUR, "conversation_b": OTHER}
    first, _, last, _ = responses(pair | {"turn": 1}, pair | {"turn": 2})
    assert (first["text"], first["messages"]) == ("leaves", FOUR[:2])
    assert last["text"] == "Blätter"
    assert first["topic"] != last["topic"]
    assert first["response"] != last["response"]


def test_prompt_of_a_system_beside_the_turns_is_the_first_turn():
    prompt = "You are a poet who answers in one line."
    (values,) = responses({"system": prompt, "model": "m", "conversations": shared(FOUR)})
    assert values["messages"] == [turn("system", prompt), *FOUR]
    assert values["system"] == "m"


def test_calls_of_tools_are_kept_in_their_turn():
    calls = [{"id": "1", "function": {"name": "find", "arguments": '{"q": "sea"}'}}]
    turns = [turn("user", "?"), turn("assistant", None) | {"tool_calls": calls}]
    (values,) = responses({"messages": [*turns, turn("tool", "42"), turn("assistant", "42")]})
    assert json.loads(values["messages"][1]["content"].strip("`json\n")) == calls
    assert values["messages"][2] == turn("tool", "42")


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ({"messages": []}, "messages"),
        ({"messages": "oops"}, "messages"),
        ("no object", "messages"),
        ({"messages": FOUR[:3]}, "messages"),
        ({"messages": FOUR[3:]}, "messages"),
        ({"messages": [*FOUR, turn("owl", "hoo")]}, "messages"),
        ({"messages": [*FOUR, {"role": "user"}]}, "messages"),
        ({"messages": [turn("user", [{"type": "image_url", "image_url": {}}])]}, "messages"),
        ({"messages": [turn("user", 7), turn("assistant", "a")]}, "messages"),
    ],
)
def test_row_that_cannot_be_read_is_a_fault_and_reading_goes_on(row, field):
    fault, *rest = read(row, {"messages": FOUR})
    assert isinstance(fault, FaultyRow)
    assert (fault.source.line, fault.fault.field) == (1, field)
    assert [values.kind for values in rest] == [RowKind.TOPICS, RowKind.RESPONSES]


def test_id_with_another_first_turn_is_a_fault():
    rows = read({"id": 1, "messages": FOUR}, {"id": 1, "messages": talk("Another?", "Yes.")})
    assert isinstance(rows[-1], FaultyRow)
    assert rows[-1].source.line == 2


@pytest.mark.parametrize(
    "row",
    [
        {"response": "r", "topic": "t", "text": "b", "messages": talk("a", "b")},
        {"question": "q", "answer": "a", "contexts": ["b"]},
        {"question": "q", "answer": [{"text": "a", "citations": []}]},
        {"query": {"qid": 1}, "candidates": [{"docid": 1, "score": 2}]},
    ],
)
def test_other_files_are_no_conversations(row):
    formats = recognised_formats(FileSample(rows=[row], names=list(row)))
    assert "conversations" not in [file_format.name for file_format, _ in formats]


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.sampled_from(
        ["role", "content", "from", "value", "text", "tool_calls"]), inner),
    max_leaves=12,
)  # fmt: skip


NAMES = st.sampled_from(["messages", "chosen", "rejected", "id", "turn", "system"])


@given(st.lists(st.dictionaries(NAMES, anything)))
def test_any_rows_are_read_or_are_faults(rows):
    for row in read(*rows):
        assert isinstance(row, FormatRow | FaultyRow)


@pytest.mark.storage
@pytest.mark.django_db
def test_conversations_of_two_systems_share_a_topic(tmp_path):
    rows = [{"id": "t1", "system": "a", "messages": FOUR}]
    rows += [{"id": "t1", "system": "b", "messages": OTHER}]
    for _ in range(2):
        file = write(tmp_path / "d2.jsonl", rows)
        import_corpus(slug="talks", name="", files=[file], origin="llm")
    assert Topic.objects.get().query == "Write a haiku."
    texts = Response.objects.order_by("system__key").values_list("system__key", "text", "turns")
    assert list(texts) == [("a", "Blätter", FOUR[:3]), ("b", "Meer", OTHER[:3])]
