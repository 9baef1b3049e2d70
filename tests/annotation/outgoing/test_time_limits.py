"""Tasks that call other servers end, and later than their calls can take."""

import pytest

from annotation import tasks as platform
from annotation.fieldwork.platforms import calls
from judging import tasks as judging
from judging.calls import sending

ONE_CALL = calls.TRIES * calls.TIMEOUT + (calls.TRIES - 1) * calls.LONGEST_PAUSE


@pytest.mark.parametrize(
    ("task", "least"),
    [
        (platform.ask_after, ONE_CALL),
        (platform.reconcile, 2 * ONE_CALL),
        (platform.pay_people, 2 * ONE_CALL),
        (judging.rate, sending.SLICE + 2 * sending.TIMEOUT),
        (judging.propose, sending.SLICE + 2 * sending.TIMEOUT),
    ],
)
def test_a_task_that_calls_others_has_an_end_after_that_of_its_calls(task, least):
    assert least < task.soft_time_limit < task.time_limit
