"""What the editor posts, and whatever else may come: a sentence, never a 500."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation import jobs
from annotation.models import Assignment
from tests.cast import NOW, alice, begun, writing_study
from tests.writing.editor.typing_hands import Page, answers_to, typed, writing_assignment
from writing.editor.drafting import current_text
from writing.log.collecting import events_of
from writing.log.eventlog import Edit, encode
from writing.models import LogChunk, PackedLog, Writing

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_queue(monkeypatch):
    monkeypatch.setattr(jobs, "send", lambda task, *given: task(*given))


@pytest.fixture
def assignment() -> Assignment:
    return writing_assignment()


@pytest.fixture
def page(assignment) -> Page:
    return Page(assignment)


def test_the_way_leads_from_the_rule_to_the_editor_to_the_end(django_capture_on_commit_callbacks):
    assignment = begun(writing_study(), alice())
    page = Page(assignment)
    study, client = assignment.study, page.client
    assert client.get(page.url).headers["location"] == f"{page.url}entry/"
    for name in ("write", "finish"):
        assert client.get(f"{page.url}{name}/").headers["location"] == f"{page.url}entry/"
    assert client.get(f"{page.url}entry/").status_code == 200
    entry = answers_to(study.entry_form)
    assert client.post(f"{page.url}entry/", entry).status_code == 422
    assert page.here().json()["refusal"] == "NotAcknowledged"
    assert client.post(f"{page.url}entry/", entry | {"acknowledged": "yes"}).status_code == 302
    assert client.get(page.url).headers["location"] == f"{page.url}write/"
    page.log(1, typed("Lamps shine."))
    shown = client.get(f"{page.url}write/")
    assert "Lamps shine." in shown.content.decode()
    assert [passage.rank for passage in shown.context["passages"]] == [1, 2, 3]
    assert "Lamps shine." in client.get(f"{page.url}finish/").content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        assert page.finish(answers_to(study.exit_form)).status_code == 302
    writing = Writing.objects.get()
    assert (writing.text, writing.verdict) == ("Lamps shine.", "equal")
    assert Assignment.objects.get().state == "submitted"
    assert Assignment.objects.get().entry_answers == entry
    for name in ("entry", "write", "finish"):
        assert client.get(f"{page.url}{name}/").status_code == 302
    assert PackedLog.objects.get().events == 13


def test_chunks_are_acknowledged_and_the_next_number_is_told(page):
    assert page.log(1, typed("Lamp")).json() == {"missing": [], "number": 2}
    assert page.log(1, typed("Lamp")).json() == {"missing": [], "number": 2}
    assert page.log(3, typed("", first=9, ms=9)).json() == {"missing": [2], "number": 4}
    answer = page.log(1, typed("Lamps"))
    assert (answer.status_code, answer.json()["refusal"]) == (409, "OtherChunk")


def test_here_says_where_to_go_on(page):
    assert page.here().json() == {"here": True, "number": 1, "seq": 1, "text": "", "ms": 0}
    page.log(1, typed("Lamp😀"))
    page.log(3, typed("", first=20, at=6, ms=50))
    told = {"here": True, "number": 2, "seq": 7, "text": "Lamp😀", "ms": 6}
    assert page.here().json() == told
    assert page.here(anew=True).json() == told | {"number": 4, "seq": 21, "ms": 50}


def test_the_tab_that_came_last_is_the_one_that_writes(assignment, page):
    other = Page(assignment, tab="two")
    assert page.here().status_code == 200
    assert page.log(1, typed("a")).status_code == 200
    assert other.here().status_code == 200
    answer = page.log(2, typed("b", first=3, at=1, ms=9))
    assert (answer.status_code, answer.json()["refusal"]) == (409, "OtherTab")
    assert other.log(2, typed("b", first=3, at=1, ms=9)).status_code == 200


def test_nothing_is_taken_for_unknown_or_finished_work(assignment, page):
    page.log(1, typed("Lamps"))
    assert page.finish(answers_to(assignment.study.exit_form)).status_code == 302
    for answer in (page.log(2, typed("b", first=7, at=5, ms=9)), page.here()):
        assert (answer.status_code, answer.json()["refusal"]) == (410, "NotLive")
    assert len(events_of(assignment)) == 6
    page.url = "/w/nobody/writing/"
    assert page.log(1, typed("a")).status_code == 404


def test_missing_chunks_are_named_when_the_text_is_handed_in(assignment, page):
    answers = answers_to(assignment.study.exit_form)
    page.log(1, typed("Lamps"))
    answer = page.finish(answers, json=True, last_number="3", text="Lamps on")
    assert answer.status_code == 422
    assert answer.json()["missing"] == [2, 3]
    shown = page.finish(answers, last_number="3", text="Lamps on")
    assert (shown.status_code, shown.context["missing"]) == (422, [2, 3])
    assert page.finish(answers, last_number="3", text="Lamps on", lost="yes").status_code == 302
    assert Writing.objects.values_list("text", "verdict").get() == ("Lamps on", "incomplete")


def test_the_line_ends_of_a_form_are_those_of_the_text(assignment, page):
    page.log(1, typed("a\nb"))
    page.finish(answers_to(assignment.study.exit_form), text="a\r\nb", last_number="1")
    assert Writing.objects.values_list("text", "verdict").get() == ("a\nb", "equal")


@pytest.mark.parametrize("more", [{}, {"text": "  "}])
def test_an_empty_text_is_not_handed_in(assignment, page, more):
    answer = page.finish(answers_to(assignment.study.exit_form), json=True, **more)
    assert answer.status_code == 422
    assert answer.json()["refusal"] == "EmptyText"
    assert Assignment.objects.get().state == "active"


@pytest.mark.parametrize(
    "more", [{"text": "a\x00"}, {"last_number": "x"}, {"last_number": "9" * 30}]
)
def test_strange_things_handed_in_are_no_error(assignment, page, more):
    page.log(1, typed("Lamps"))
    answer = page.finish(answers_to(assignment.study.exit_form), **more)
    assert answer.status_code in (302, 422)


def test_half_a_surrogate_pair_is_taken_and_the_other_half_makes_it_whole(assignment, page):
    whole = "😀".encode("utf-16-le")
    halves = [whole[:2], whole[2:]]
    high, low = (half.decode("utf-16-le", "surrogatepass") for half in halves)
    assert page.log(1, typed(f"a{high}")).status_code == 200
    assert page.here().json()["text"] == "a\ufffd"
    assert page.client.get(f"{page.url}write/").status_code == 200
    assert page.log(2, [Edit(seq=4, ms=9, at=2, deleted=0, inserted=low, input="")]).json() == {
        "missing": [],
        "number": 3,
    }
    assert page.here().json()["text"] == "a😀"


def test_a_megabyte_is_refused_with_a_sentence(page):
    answer = page.post("log", b'{"tab":"one","number":1,"events":[' + b" " * 1_000_000 + b"]}")
    assert (answer.status_code, answer.json()["refusal"]) == (413, "TooLarge")


GOOD = {"tab": "one", "number": 2, "events": json.loads(encode(typed("b", first=7, at=5, ms=20)))}
GOOD_BYTES = json.dumps(GOOD).encode()
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["tab", "number", "events", "type", "seq"]), inner)
    ),
    max_leaves=8,
)
FIELDS = ["seq", "ms", "at", "deleted", "inserted", "input", "type", "length"]
STRANGE = st.sampled_from(
    [
        -1,
        0,
        1,
        7,
        2**31,
        2**63,
        10**400,
        1.5,
        None,
        True,
        "",
        "\x00",
        "\ud83d",
        "\ude00\ud83d",
        [],
        {},
    ]
)


@st.composite
def bodies(draw: st.DrawFn) -> bytes:
    """Draw a valid chunk with a fault, or something else."""
    kind = draw(st.sampled_from(["bytes", "json", "truncated", "flipped", "field", "order"]))
    if kind == "bytes":
        return draw(st.binary(max_size=60))
    if kind == "json":
        return json.dumps(draw(JSON)).encode()
    if kind == "truncated":
        return GOOD_BYTES[: draw(st.integers(0, len(GOOD_BYTES) - 1))]
    if kind == "flipped":
        place = draw(st.integers(0, len(GOOD_BYTES) - 1))
        return GOOD_BYTES[:place] + draw(st.binary(max_size=2)) + GOOD_BYTES[place + 1 :]
    chunk: dict[str, Any] = json.loads(GOOD_BYTES)
    if kind == "field":
        target = draw(st.sampled_from([chunk, *chunk["events"]]))
        names = ["tab", "number", "events"] if target is chunk else FIELDS
        target[draw(st.sampled_from(names))] = draw(STRANGE)
    else:
        chunk["events"] = draw(st.permutations(chunk["events"] * 2))
        chunk["number"] = draw(st.integers(-1, 5))
    return json.dumps(chunk).encode()


@given(st.lists(bodies(), min_size=1, max_size=4), st.sampled_from(["log", "log", "log", "here"]))
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_whatever_is_posted_gets_an_answer_with_a_sentence(page, posted, name):
    LogChunk.objects.all().delete()
    Assignment.objects.update(tab="one")
    page.log(1, typed("Lamps"))
    for body in posted:
        answer = page.post(name, body)
        assert answer.status_code in (200, 409, 413, 422), (body, answer.content)
        assert answer.status_code == 200 or answer.json()["sentence"]
    assert LogChunk.objects.get(number=1)
    assignment = Assignment.objects.get()
    draft = current_text(assignment)
    assert page.client.get(f"{page.url}write/").status_code == 200
    if draft.next_number == 2:
        assert draft.text == "Lamps"


@given(st.text(max_size=20), st.sampled_from(["", "\x00", "%00", "ü", "😀"]))
@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_entry_and_exit_forms_take_anything(page, value, name):
    for path in ("entry", "finish"):
        assert page.client.post(f"{page.url}{path}/", {name or "x": value}).status_code == 422


def test_a_submission_and_its_repetition_give_the_same_end(assignment, page):
    page.log(1, typed("Lamps"))
    answers = answers_to(assignment.study.exit_form)
    assert page.finish(answers).status_code == 302
    assert page.finish(answers).status_code == 302
    assert Assignment.objects.get().submitted_at > NOW


def test_an_idle_tab_is_told_whose_turn_it_is(page):
    assert page.post("turn", {"tab": "one"}).json() == {"here": True}  # nobody has a turn yet
    page.here()
    assert page.post("turn", {"tab": "one"}).json() == {"here": True}
    page.post("here", {"tab": "another"})
    answer = page.post("turn", {"tab": "one"})
    assert (answer.status_code, answer.json()["refusal"]) == (409, "OtherTab")
    assert page.post("turn", {"tab": "another"}).json() == {"here": True}
    for body in (b"", b"{}", b"[[", {"tab": "\x00"}):
        assert page.post("turn", body).status_code == 422
