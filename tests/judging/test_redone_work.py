"""What was answered before a redo, from the days when nothing guarded it: it stays, and is guarded
from then on; the way back takes the guard and leaves the rows."""

import pytest

from tests import earlier

REFUSED = "What was answered before a redo is never changed."


@pytest.mark.parametrize("storage", ["sqlite", "postgres"])
def test_what_was_answered_before_a_redo_stays_there_and_back(storage, request):
    said = earlier.said(storage, request)["tests.judging.redone_work"]
    before, lapsed = said["before"], ["lapsed", "", "rule: redo"]
    assert [each["answers"] for each in before["answers"]] == [[{"raw": "a"}]]
    assert before["decisions"] == [["redo", "Too fast.", "rita"]]
    with_lapsed = before | {"decisions": [*before["decisions"], lapsed]}
    for moment in ("today", "back", "again", "back_again"):
        assert said[moment] == with_lapsed, moment
    assert REFUSED in said["refused"]
    assert said["taken"] == ""
    assert REFUSED in said["refused_again"]
