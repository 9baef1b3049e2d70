"""What is measured of honest writers, beside what their hands did: keys, phones, input methods."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Browser, BrowserContext, expect

from tests.writing.process.test_replay import log
from tests.writing.recorder.desk import COPY, Desk, desk_context
from tests.writing.recorder.hands import KINDS, PASSAGE, Hands, recorded, session
from writing.log.eventlog import Edit, Event, units
from writing.process.composition import settled
from writing.process.evidence import flags
from writing.process.process import Process, process_of
from writing.process.replay import Replay, rebuilt


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = desk_context(browser)
    yield context
    context.close()


def edits(events: list[Event]) -> list[tuple[int, int, str, str]]:
    return [(e.at, e.deleted, e.inserted, e.input) for e in events if isinstance(e, Edit)]


def check(process: Process, hands: Hands) -> None:
    """All counts within 2 % of those of the hands."""
    counts = hands.counts
    near = {"rel": 0.02, "abs": 1}
    assert process.typing.units == pytest.approx(counts.typed, **near)
    assert process.deleted == pytest.approx(counts.deleted, **near)
    assert process.pasted == pytest.approx(counts.pasted, **near)
    assert process.moved == pytest.approx(counts.moved, **near)
    assert process.without_paste == pytest.approx(counts.without_paste, **near)
    assert process.final == hands.length
    if counts.ms:
        assert process.typing.words_per_minute == pytest.approx(counts.pace, rel=0.02)


@pytest.mark.browser
@pytest.mark.parametrize("kind", KINDS)
def test_counts_are_those_of_the_hands(context: BrowserContext, kind: str) -> None:
    hands = session(kind, 1)
    desk = Desk(context, [PASSAGE])
    desk.play(hands.acts)
    events = desk.events
    assert rebuilt(events) == desk.text
    check(process_of(events, [PASSAGE]), hands)
    assert edits(events) == edits(recorded(hands))


@pytest.mark.parametrize("kind", KINDS)
def test_honest_writers_raise_no_flag(kind: str) -> None:
    for seed in range(20):
        hands = session(kind, seed, times=3)
        events = recorded(hands)
        replay = Replay(events, [PASSAGE])
        process = process_of(events, [PASSAGE], replay=replay)
        check(process, hands)
        assert flags(process, events, steps=replay.steps) == []


def whole_words(events: list[Event]) -> list[Event]:
    """Return the log as it was recorded until November 2026.

    At every letter the whole composition.
    """
    start = end = 0
    text = ""
    for event in events:
        if not isinstance(event, Edit):
            continue
        text = text[: event.at] + event.inserted + text[event.at + event.deleted :]
        if "Composition" not in event.input:
            start = end = event.at + len(event.inserted)
            continue
        if not start <= event.at <= end:
            start = end = event.at
        now = end - event.deleted + len(event.inserted)
        event.at, event.deleted, event.inserted = start, end - start, text[start:now]
        end = now
    return events


@pytest.mark.parametrize("kind", ["android", "cjk"])
def test_older_logs_are_measured_by_what_changed(kind: str) -> None:
    hands = session(kind, 2)
    events, before = recorded(hands), rebuilt(recorded(hands))
    old = whole_words(events)
    assert sum(event.deleted for event in old if isinstance(event, Edit)) > hands.length
    assert rebuilt(old) == before
    process = process_of(old)
    assert process.typing.units == pytest.approx(hands.counts.typed, rel=0.02)
    assert process.deleted == pytest.approx(hands.counts.deleted, rel=0.02, abs=1)
    assert process.rewritten
    assert not process_of(recorded(hands)).rewritten


def test_a_dead_key_is_one_letter(context: BrowserContext) -> None:
    desk = Desk(context)
    for shown, letter in (("´", "é"), ("~", "ñ"), ("¨", "ü")):
        desk.compose(shown)
        desk.commit(letter)
    process = process_of(desk.events)
    assert (desk.text, process.typing.units, process.deleted, process.final) == ("éñü", 3, 0, 3)


def test_a_word_that_is_composed_again_is_deleted_where_it_changes(context: BrowserContext) -> None:
    """A phone makes a composition of a word that is there, and its suggestion replaces it."""
    desk = Desk(context)
    desk.page.keyboard.type("hallo")
    desk.devtools.send(
        "Input.imeSetComposition",
        {
            "text": "hello",
            "selectionStart": 5,
            "selectionEnd": 5,
            "replacementStart": 0,
            "replacementEnd": 5,
        },
    )
    desk.commit("hello")
    process = process_of(desk.events)
    assert (desk.text, process.deleted, process.typing.units) == ("hello", 1, 6)


@st.composite
def compositions(draw: st.DrawFn) -> list[Event]:
    """Any edits, some of them composed."""
    changes, size = [], 0
    for _ in range(draw(st.integers(0, 30))):
        inserted = draw(st.text(st.sampled_from("ab漢"), max_size=4))
        at = draw(st.integers(0, size))
        deleted = draw(st.integers(0, min(4, size - at)))
        kind = draw(st.sampled_from(["insertText", "insertCompositionText", "deleteBackward"]))
        changes.append((at, deleted, inserted, kind))
        size += units(inserted) - deleted
    return log(*changes)


@given(compositions())
def test_net_edits_rebuild_the_same_text(events: list[Event]) -> None:
    steps = Replay(events).steps
    net = settled(steps)
    text = bytearray()
    for step in net.steps:
        end = step.at + step.deleted
        assert 0 <= step.at <= end <= len(text) // 2
        assert len(step.codes) == len(step.inserted) // 2
        text[2 * step.at : 2 * end] = step.inserted
    assert text.decode("utf-16-le") == rebuilt(events)
    assert len(net.steps) == len(steps)
    deleted, inserted = sum(s.deleted for s in net.steps), sum(len(s.codes) for s in net.steps)
    assert inserted - deleted == units(rebuilt(events))
    assert net.replaced >= 0


def test_text_that_is_dragged_keeps_its_origin(context: BrowserContext) -> None:
    desk = Desk(context)
    field = desk.page.locator("[data-text]")
    field.evaluate("field => Object.assign(field.style, {font: '20px monospace', width: '800px'})")
    desk.page.evaluate(COPY, "foreign words from outside")
    desk.page.keyboard.press("Control+v")
    desk.page.keyboard.type(" and typed words here")
    desk.select(0, 7)
    box = field.bounding_box()
    assert box is not None
    mouse, y = desk.page.mouse, box["y"] + 14
    mouse.move(box["x"] + 30, y)
    mouse.down()
    mouse.move(box["x"] + 60, y, steps=5)
    mouse.move(box["x"] + 600, y, steps=10)
    mouse.up()
    expect(field).to_have_value(re.compile(" foreign$"))
    events = desk.events
    assert rebuilt(events) == desk.text == " words from outside and typed words here foreign"
    process = process_of(events)
    assert (process.pasted, process.moved, process.elsewhere) == (26, 7, 26)
