"""Every instrument says the same in each language, and asks the same."""

import json
from pathlib import Path

import msgspec
import pytest

from annotation.fieldwork.work.placeholders import PLACEHOLDER
from annotation.models import Study
from annotation.studies.drafts import paths
from annotation.studies.instruments import BadInstrument
from annotation.studies.translations import in_language, texts_in
from judging.instruments import files as judging
from tests.coded_errors import raises
from writing.instruments import files as writing

LANGUAGES = [code for code in Study.Language if code != "en"]
INSTRUMENTS = [(files, name) for files in (judging, writing) for name in files.available()]
# The same in German.
ALIKE = {"Text 1", "Text 2", "Text 3", "Text 4", "Essay"}


def test_a_translation_is_no_instrument_of_its_own():
    assert not any(name.endswith(".de") for _, name in INSTRUMENTS)
    assert len(INSTRUMENTS) == 28


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("files", "name"), INSTRUMENTS, ids=lambda each: str(each))
def test_instrument_is_complete_in_every_language(files, name, language):
    original, other = (msgspec.to_builtins(files.load(name, code)) for code in ("en", language))
    texts, said = dict(texts_in(original)), dict(texts_in(other))
    written = json.loads((files.FOLDER / f"{name}.{language}.json").read_text())
    assert list(written) == list(texts)  # each place, and in the order in which it stands there
    for path, words in texts.items():
        assert said[path] != words or words in ALIKE, path
        assert sorted(PLACEHOLDER.findall(said[path])) == sorted(PLACEHOLDER.findall(words)), path
        assert ("[Researcher:" in said[path]) == ("[Researcher:" in words), path
        assert said[path].count("\n") == words.count("\n"), path
        paths.put(other, path, words)
    assert other == original  # keys, codes, roles, scales and figures


@pytest.mark.parametrize("files", [judging, writing])
def test_blank_instrument_is_translated(files):
    original, other = (
        dict(texts_in(msgspec.to_builtins(files.blank(code)))) for code in ("en", "de")
    )
    assert [path for path, words in original.items() if other[path] == words] == []


def test_translation_of_a_place_that_there_is_not_is_refused(tmp_path: Path):
    (tmp_path / "mine.de.json").write_text('{"questions/nothing/text": "Was?"}')
    with raises(BadInstrument, "unknown_place", match=r"mine\.de\.json.*questions/nothing"):
        in_language(judging.load("nuggets"), path=tmp_path / "mine.json", language="de")
