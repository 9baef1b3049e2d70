"""Refusals carry a code, a status and a sentence that can be translated."""

from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence

FULL = Sentence("The disk is full.")


class DiskFull(Refusal):
    status = 413
    sentence = FULL


def test_a_refusal_carries_its_code_sentence_status_and_title():
    refusal = Refusal("DiskFull", FULL, status=413, title=Sentence("No room"))
    assert (refusal.code, refusal.said, refusal.status) == ("DiskFull", FULL, 413)
    assert refusal.title == "No room"


def test_a_refusal_without_status_and_title_has_those_of_a_conflict():
    refusal = Refusal("DiskFull", FULL)
    assert (refusal.status, refusal.title) == (409, Refusal.title)


def test_the_code_of_a_named_refusal_is_its_name():
    refusal = DiskFull()
    assert (refusal.code, refusal.said, refusal.status) == ("DiskFull", FULL, 413)
