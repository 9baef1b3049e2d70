"""What the instruments of every kind of study have in common: a folder of files."""

import json

from annotation.studies.instruments import BadInstrument, Fault, decoded, names_in, path_of, refuse
from tests.coded_errors import raises
from writing.instruments import files as writing
from writing.instruments.schema import WritingInstrument


def test_instruments_are_found_by_the_name_of_their_file(tmp_path):
    (tmp_path / "b.json").write_text("{}")
    (tmp_path / "a.json").write_text("{}")
    (tmp_path / "README.md").write_text("Not one.")
    assert names_in(tmp_path) == ["a", "b"]
    assert path_of("a", folder=tmp_path) == tmp_path / "a.json"
    with raises(BadInstrument, "unknown_instrument", match="'c'"):
        path_of("c", folder=tmp_path)


def test_what_is_no_json_is_refused_by_the_name_of_the_file(tmp_path):
    (tmp_path / "odd.json").write_text("{")
    with raises(BadInstrument, "invalid", match=r"^odd\.json: "):
        decoded(tmp_path / "odd.json", as_type=WritingInstrument)


def test_all_faults_are_said_at_once():
    refuse([], name="a")
    with raises(BadInstrument, "faults", match=r"^a: one\na: two$"):
        refuse([Fault("title", "one"), Fault("", "two")], name="a")


def test_an_instrument_of_writing_needs_styles_and_lengths_in_order(tmp_path):
    (name, *_) = writing.available()
    spec = json.loads((writing.FOLDER / f"{name}.json").read_text())
    (tmp_path / "odd.json").write_text(json.dumps(spec | {"styles": [], "low_words": 900}))
    with raises(BadInstrument, "faults") as refused:
        writing.read(tmp_path / "odd.json")
    assert [fault.path for fault in refused.value.faults] == ["styles", "target_words"]
