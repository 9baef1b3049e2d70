"""The table of keys in the instructions that come along is hidden where there is no keyboard."""

import pytest

from annotation.studies.drafts.kinds import kind_of
from annotation.templatetags.markdown import markdown, without_keys_on_touch


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_keys_of_every_method_are_found(language: str) -> None:
    judging = kind_of("judging")
    for name in judging.available():
        text = judging.load(name, language).instructions
        shown = without_keys_on_touch(markdown(text, 2))
        assert shown.count("no-touch") == 2, name


def test_a_table_of_the_researcher_stays() -> None:
    text = "### Prices\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nPlain words."
    assert "no-touch" not in without_keys_on_touch(markdown(text, 2))
