"""What a study of several instruments asks its workers to agree to."""

from msgspec.structs import replace

from judging.instruments.combined import consent_of
from judging.instruments.files import load

PAIRS, BLOCKS, NUGGETS = (load(name) for name in ("crowdrag-pairwise", "best-worst", "nuggets"))


def test_of_one_instrument_it_is_its_text():
    assert consent_of([NUGGETS]) == NUGGETS.consent


def test_a_text_that_all_share_stands_once_as_it_is():
    assert PAIRS.consent == BLOCKS.consent
    assert consent_of([PAIRS, BLOCKS]) == PAIRS.consent


def test_of_several_texts_each_is_shown_below_its_instruments():
    consent = consent_of([PAIRS, NUGGETS, BLOCKS])
    assert consent.count(PAIRS.consent.strip()) == 1
    assert consent.count(NUGGETS.consent.strip()) == 1
    assert consent.startswith(f"## {PAIRS.title}; {BLOCKS.title}\n\n")
    assert f"## {NUGGETS.title}\n\n" in consent


def test_what_a_study_says_already_stays_as_it_is():
    """The records of a study have the whole text with the first instrument."""
    whole = consent_of([PAIRS, NUGGETS])
    again = [replace(PAIRS, consent=whole), replace(NUGGETS, consent="")]
    assert consent_of(again) == whole
