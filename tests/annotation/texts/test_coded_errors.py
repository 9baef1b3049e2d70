"""Errors with codes pass from one process to another."""

import copy
import pickle

import pytest

from analysis.stats.errors import BadSetting, CannotCompute
from annotation.fieldwork.review.reviewing import DecisionsRefused, ReviewFault
from annotation.studies.instruments import BadInstrument, Fault
from annotation.texts.coded_errors import CodedError
from annotation.texts.sentences import Sentence

SENTENCE = Sentence("{n} file {name}", "{n} files {name}", 2, n=2, name="{odd}")


@pytest.mark.parametrize(
    "error",
    [
        CodedError("empty", "The file is empty."),
        CannotCompute("few", SENTENCE),
        BadSetting("level", 2, "below 1"),
        BadInstrument("faults", "a: one", [Fault("title", "Enter one.")]),
        DecisionsRefused({7: ReviewFault("paid", "It is paid.")}, of=3),
    ],
)
def test_an_error_is_the_same_after_pickling(error):
    error.add_note("seen")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (again.args, str(again)) == (error.args, str(error))
    assert vars(again) == vars(error)


@pytest.mark.parametrize("again", [pickle.loads(pickle.dumps(SENTENCE)), copy.copy(SENTENCE)])
def test_a_sentence_keeps_its_words_and_values(again):
    assert again == "2 files {odd}"
    assert vars(again) == vars(SENTENCE)
