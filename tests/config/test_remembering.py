"""What a server looks up once (config/memory.py)."""

from gettext import GNUTranslations

import pytest
from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation.trans_real import DjangoTranslation

from config import memory

SAID = "Nothing to review"


@pytest.fixture
def looked_up(monkeypatch):
    """Return the sentences that were looked up in a catalogue since."""
    asked, as_ever = [], GNUTranslations.gettext

    def noted(self, message):
        if isinstance(self, DjangoTranslation):
            asked.append(message)
        return as_ever(self, message)

    monkeypatch.setattr(GNUTranslations, "gettext", noted)
    monkeypatch.setattr(DjangoTranslation, "gettext", noted)  # put back when the test is over
    memory.remember_words()
    return asked


def test_a_sentence_is_looked_up_once(looked_up):
    assert [gettext(SAID) for _ in range(3)] == [SAID] * 3
    assert looked_up == [SAID]


def test_each_language_has_its_own_words(looked_up):
    with translation.override("de"):
        german = gettext("Next")
    assert (gettext("Next"), german) == ("Next", "Weiter")
    with translation.override("de"):
        assert gettext("Next") == german
    assert looked_up == ["Next"] * 2
