"""IDFX files give readers that we did not write the text that was written."""

from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cast import NOW
from tests.writing.editor.typing_hands import typed
from tests.writing.exports.idfx_readers import rebuilt, replayed
from tests.writing.log.simulated_log import Writer, written
from writing.exports.idfx import idfx
from writing.exports.virtual_keys import name_of
from writing.log.eventlog import (
    Away,
    Back,
    Blur,
    Edit,
    Event,
    Focus,
    Key,
    Select,
    Snapshot,
    units,
)
from writing.process import replay

EVENTS = written(words=100).events


def file_of(events: list[Event]) -> str:
    return idfx(events, session={"Participant": "alice"}, begin=NOW)


def events_of(xml: str, kind: str) -> list[ElementTree.Element]:
    return ElementTree.fromstring(xml).findall(f"event[@type='{kind}']")


class Hands(Writer):
    """Somebody who also edits in the middle of the text, by keys, mouse and menu."""

    def key(self, code: str) -> None:
        self.add(Key, later=50, code=code, down=True)

    def select(self, start: int, end: int) -> None:
        self.add(Select, later=10, start=start, end=end)


def everything() -> Hands:
    hands = Hands(3)
    hands.word("Lamps")
    hands.select(2, 2)
    hands.edit(2, 0, "pasted, ", "insertFromPaste")  # from the menu, in the middle
    hands.key("ControlLeft")
    hands.key("KeyV")
    hands.edit(4, 0, "x", "insertFromPaste")  # one letter, where no selection was noted
    hands.key("Delete")
    hands.edit(0, 1, "", "deleteContentForward")
    hands.key("KeyX")
    hands.edit(3, 1, "", "deleteByCut")  # one letter, by a key that deletes nothing by itself
    hands.key("KeyZ")
    hands.edit(3, 0, "ted", "historyUndo")
    hands.select(0, 4)
    hands.key("KeyA")
    hands.edit(0, 4, "a", "insertText")
    hands.key("KeyB")
    hands.edit(1, 0, "b", "insertText")
    hands.edit(0, 2, "", "deleteByDrag")  # by the mouse, directly after a key
    hands.key("Backspace")
    hands.edit(2, 1, "", "deleteContentBackward")
    hands.edit(0, 1, "L", "insertReplacementText")  # of a menu, directly after a key that deletes
    hands.key("Enter")
    hands.edit(len(hands.text), 0, "\n", "insertLineBreak")
    hands.key("Backspace")  # at a place where it deletes nothing
    hands.select(0, 0)
    hands.key("Semicolon")
    hands.edit(0, 0, ";", "insertText")
    return hands


@pytest.mark.parametrize("read", [rebuilt, replayed])
@pytest.mark.parametrize("events", [EVENTS, everything().events[:-4], everything().events])
def test_readers_of_scriptlog_files_rebuild_the_text(read, events):
    assert read(file_of(events)) == replay.rebuilt(events)


LETTERS = st.text("abc \n<&😀", min_size=1, max_size=6)
CODES = st.sampled_from(["KeyA", "Backspace", "Delete", "ArrowLeft", "ShiftLeft", "Quote", ""])


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_readers_rebuild_texts_of_any_edits(data):
    """Edits anywhere, by whatever key, also where keys and edits have nothing to do."""
    events: list[Event] = typed("")
    length = 0
    for _ in range(data.draw(st.integers(0, 12))):
        if data.draw(st.booleans()):
            code = data.draw(CODES)
            events.append(Key(seq=len(events) + 1, ms=len(events), code=code, down=True))
        at = data.draw(st.integers(0, length))
        deleted = data.draw(st.integers(0, length - at))
        inserted = "" if deleted and data.draw(st.booleans()) else data.draw(LETTERS)
        length += units(inserted) - deleted
        events.append(
            Edit(seq=len(events) + 1, ms=len(events), at=at, deleted=deleted, inserted=inserted,
                 input="insertText")
        )  # fmt: skip
    xml = file_of(events)
    try:
        text = replay.rebuilt(events)
    except replay.BrokenLog:  # half of a surrogate pair was cut off
        return
    assert replayed(xml) == text
    assert rebuilt(xml) == text


def test_a_paste_has_its_text_in_before_and_the_position_of_its_end():
    xml = file_of(EVENTS)
    pastes = [event for event in EVENTS if isinstance(event, Edit) and len(event.inserted) > 1]
    inserts = events_of(xml, "insert")
    assert pastes
    assert [
        (event.findtext("part/before"), int(event.findtext("part/position"))) for event in inserts
    ] == [(paste.inserted, paste.at + len(paste.inserted)) for paste in pastes]
    assert not any(event.findtext("part/after") for event in inserts)


def test_length_of_a_key_counts_the_end_of_the_document():
    """As in files of ScriptLog: the length after a letter, and one more than before a deletion."""
    hands = Hands(1)
    hands.stroke("a")
    hands.stroke("b")
    hands.stroke("", backspace=True)
    hands.key("ArrowLeft")
    keys = events_of(file_of(hands.events), "keyboard")
    told = [
        tuple(key.findtext(f"part/{name}") for name in ("key", "position", "documentLength"))
        for key in keys
    ]
    assert told == [
        ("VK_A", "0", "1"), ("VK_B", "1", "2"), ("VK_BACK", "2", "3"), ("VK_LEFT", "1", "2"),
    ]  # fmt: skip


def test_every_key_that_goes_down_is_an_event_with_its_times():
    keys = events_of(file_of(EVENTS), "keyboard")
    assert len(keys) == sum(isinstance(event, Key) and event.down for event in EVENTS)
    letters = [key for key in keys if key.findtext("part/value")]
    assert int(letters[0].findtext("part/endTime")) > int(letters[0].findtext("part/startTime"))
    assert len(letters) == sum(isinstance(e, Edit) and len(e.inserted) == 1 for e in EVENTS)


def test_meta_has_the_dates_that_readers_count_from():
    root = ElementTree.fromstring(file_of(EVENTS))
    meta = {entry.findtext("key"): entry.findtext("value") for entry in root.findall("meta/entry")}
    assert meta["__LogRelativeCreationDate"] == "0"
    assert meta["__LogCreationDate"] == f"{NOW:%y/%m/%d %H:%M:%S}.{NOW.microsecond // 1000:03}"
    assert int(meta["__LogCreationTimeStamp"]) == round(NOW.timestamp() * 1000)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        *(("KeyA", "VK_A"), ("Digit7", "VK_7"), ("Numpad3", "VK_NUMPAD3"), ("F12", "VK_F12")),
        *(("Semicolon", "VK_OEM_1"), ("Slash", "VK_OEM_2"), ("Backquote", "VK_OEM_3")),
        *(("BracketLeft", "VK_OEM_4"), ("Backslash", "VK_OEM_5"), ("BracketRight", "VK_OEM_6")),
        *(("Quote", "VK_OEM_7"), ("Equal", "VK_OEM_PLUS"), ("Comma", "VK_OEM_COMMA")),
        *(("Minus", "VK_OEM_MINUS"), ("Period", "VK_OEM_PERIOD"), ("IntlBackslash", "VK_OEM_102")),
        *(("", "VK_PACKET"), ("Unidentified", "VK_PACKET"), ("Key", "VK_PACKET")),
    ],
)
def test_keys_have_the_names_of_windows(code, name):
    assert name_of(code) == name


def test_a_text_from_before_is_written_once():
    events = [*typed(""), Snapshot(seq=2, ms=5, text="Lamps"), Snapshot(seq=3, ms=6, text="Lamp")]
    assert rebuilt(file_of(events)) == replayed(file_of(events)) == "Lamp"


def test_it_takes_texts_that_no_xml_can_hold():
    events = [*typed("a"), Edit(seq=3, ms=9, at=1, deleted=0, inserted="\x01\ud83d<&", input="x")]
    assert events_of(file_of(events), "insert")[-1].findtext("part/before") == "\ufffd\ufffd<&"


def test_an_undo_of_one_unit_is_no_letter():
    hands = Hands(3)
    hands.word("ab")
    hands.key("Backspace")
    hands.edit(len(hands.text) - 1, 1, "", "deleteContentBackward")
    hands.key("ControlLeft")
    hands.key("KeyZ")
    hands.edit(len(hands.text), 0, "b", "historyUndo")
    xml = file_of(hands.events)
    assert rebuilt(xml) == replayed(xml) == hands.text
    last = events_of(xml, "keyboard")[-1]
    assert (last.findtext("part/value"), last.findtext("part/keyboardstate")) == ("", "VK_LCONTROL")
    assert [event.findtext("part/before") for event in events_of(xml, "insert")] == ["b"]


def test_modifiers_are_those_that_are_down():
    hands = Hands(3)
    for code, down in (
        ("ShiftLeft", True),
        ("AltRight", True),
        ("KeyA", True),
        ("ShiftLeft", False),
        ("KeyB", True),
    ):
        hands.add(Key, later=50, code=code, down=down)
    states = [
        event.findtext("part/keyboardstate")
        for event in events_of(file_of(hands.events), "keyboard")
    ]
    assert states == ["", "VK_LSHIFT", "VK_LSHIFT VK_RMENU", "VK_RMENU"]


def test_the_focus_is_elsewhere_only_out_of_the_window():
    hands = Hands(3)
    for kind in (Back, Blur, Focus, Away, Back, Blur):
        hands.add(kind, later=50)
    titles = [event.findtext("part/title") for event in events_of(file_of(hands.events), "focus")]
    assert titles == ["editor", "elsewhere", "editor"]
