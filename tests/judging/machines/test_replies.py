"""What a model said is taken whole and as it was meant, or not at all."""

import json

import pytest

from judging.calls.prompts import BadPrompt, filled
from judging.calls.replies import UnreadableAnswer
from judging.items.kinds import item_kind
from judging.machines.fields import (
    ModelQuestion,
    ShownItem,
    fields_of,
    how_to_answer,
    listed,
    schema,
)
from judging.machines.prompt_variables import check, variables
from judging.machines.replies import read
from tests.coded_errors import raises

PREFERENCE = {
    "kind": "options",
    "options": [
        {"code": "a", "label": "Left", "role": "slot", "slot": "a"},
        {"code": "n", "label": "Equal", "role": "tie"},
        {"code": "b", "label": "Right", "role": "slot", "slot": "b"},
    ],
}
GRADE = {
    "kind": "options",
    "options": [
        {"code": str(n), "label": label, "role": "score", "score": n}
        for n, label in enumerate(["Not relevant", "Somewhat", "Very relevant"])
    ],
}
CONTENTS = {"a": "text-1", "b": "text-2"}


def asked(key="better", spec=PREFERENCE, **more):
    return ModelQuestion(key=key, text="Which?", definition="", spec=spec, arity="item", **more)


def page(order=("a", "b")):
    return ShownItem(item_kind("pair"), CONTENTS, order)


def value(text, *, order=("a", "b"), spec=PREFERENCE, structured=False):
    (one,) = fields_of([asked(spec=spec)], page(order))
    code = read(text, [one], structured=structured).codes["better"]
    return one.answer(code, page(order)).value


@pytest.mark.parametrize(
    "text",
    [
        '{"better": "A"}', "I think so.\n[[A]]", "A", "a", "Text A", "left",
        'First {"better": "B"}\nno, then\n{"better": "A", "why": "it is"}\n\n',
    ],
)  # fmt: skip
def test_the_last_line_is_taken_and_oriented(text):
    assert value(text) == "text-1"
    assert value(text, order=("b", "a")) == "text-2"


@pytest.mark.parametrize("text", ['{"better": "C"}', "[[C]]", "Equal"])
def test_a_tie_has_the_letter_after_the_texts(text):
    assert value(text) == value(text, order=("b", "a")) == "n"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "unparsed"),
        ("A\nbecause it is better", "unparsed"),
        ("The answer is A.", "unparsed"),
        ("Beide Texte sind gleich gut.", "unparsed"),
        ('{"better": "A"', "unparsed"),
        ('{"better": "A", "better": "B"}', "unparsed"),
        ('{"worse": "A"}', "unparsed"),
        ('{"better": ["A"]}', "unparsed"),
        ('{"better": true}', "unparsed"),
        ('{"better": null}', "unparsed"),
        ("[" * 100_000, "unparsed"),
        ("[[D]]", "third text"),
        ('{"better": "Text D"}', "third text"),
    ],
)
def test_anything_else_is_nothing(text, kind):
    with pytest.raises(UnreadableAnswer) as error:
        value(text)
    assert error.value.kind == kind


def test_structured_answers_may_stand_on_several_lines():
    assert value('{\n  "better": "B"\n}', structured=True) == "text-2"
    with pytest.raises(UnreadableAnswer):
        value('{\n  "better": "B"\n}')


def test_grades_are_said_by_code_number_or_label():
    for text in ('{"better": 2}', '{"better": "2"}', '{"better": 2.0}', "2", "very relevant"):
        assert value(text, spec=GRADE) == "2"
    with pytest.raises(UnreadableAnswer) as error:
        value("3", spec=GRADE)
    assert error.value.kind == "unparsed"


def test_one_missing_answer_loses_all():
    fields = fields_of([asked("one"), asked("two")], page())
    assert read('{"one": "A", "two": "B"}', fields, structured=False).codes == {
        "one": "a",
        "two": "b",
    }
    for text in ('{"one": "A"}', "A"):
        with pytest.raises(UnreadableAnswer):
            read(text, fields, structured=False)


def test_what_is_asked_of_each_text_goes_by_where_it_stands():
    question = ModelQuestion("good", "How good?", "", GRADE, "slot", wants_reason=True)
    first, second = fields_of([question], page(("b", "a")))
    assert (first.name, first.key) == ("good_A", "good/b")
    assert (second.name, second.key) == ("good_B", "good/a")
    text = json.dumps({"good_A": 0, "good_A_reason": "short", "good_B": 2})
    lines = read(text, [first, second], structured=False)
    assert lines.codes == {"good/b": "0", "good/a": "2"}
    assert lines.reasons == {"good/b": "short"}


def test_a_schema_names_every_answer_and_nothing_else():
    fields = fields_of(
        [asked(wants_reason=True), asked("length", {"kind": "range", "min": 1, "max": 3})], page()
    )
    assert schema(fields) == {
        "type": "object",
        "properties": {
            "better_reason": {"type": "string"},
            "better": {"type": "string", "enum": ["A", "C", "B"]},
            "length": {"type": "number", "enum": [1, 2, 3]},
        },
        "required": ["better_reason", "better", "length"],
        "additionalProperties": False,
    }
    assert "A = Text A; C = Equal; B = Text B" in listed(fields)
    assert "a number from 1 to 3" in listed(fields)
    assert '"better_reason": "one sentence", "better": ..., "length": ...' in how_to_answer(fields)


def test_prompts_are_strict():
    known = variables([item_kind("pair")])
    check(system="", user='{query} {texts} {{"a": 1}}', known=known)
    assert filled("{a} or {{b}}", {"a": "{x} %s", "b": "no"}) == "{x} %s or {b}"
    for user, code in [
        ("", "empty"),
        ("{query}", "missing_variable"),
        ("{texts} {author}", "unknown_variable"),
        ("{texts} {", "brace"),
        ("{texts} }", "brace"),
        ("{texts} {}", "not_a_variable"),
        ("{texts} {query!r}", "not_a_variable"),
        ("{texts} {query.__class__}", "not_a_variable"),
        ("{texts} {query:>10}", "not_a_variable"),
        ("{texts}" + "x" * 60_000, "too_long"),
    ]:
        with raises(BadPrompt, code):
            check(system="", user=user, known=known)


def test_a_prompt_explains_the_answers_that_have_an_explanation():
    options = [
        {"code": "1", "label": "Poor", "role": "score", "score": 1, "definition": "Read twice."},
        {"code": "2", "label": "Good", "role": "score", "score": 2},
    ]
    spec = {"kind": "options", "options": options}
    words = listed(fields_of([asked(spec=spec)], page()))
    assert words.splitlines()[-1].strip() == "1: Read twice."
    assert words.count("Read twice.") == 1
