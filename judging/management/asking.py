"""Sending the calls of an asker from the command line."""

import time
from collections.abc import Callable

from django.core.management.base import CommandError, OutputWrapper

from annotation.clock import database_now
from judging.calls import progress, sending
from judging.calls.asking import BadAsker
from judging.models.calls import Asker

PAUSE = 1.0  # seconds


def ask(asker: Asker, *, run: Callable[[], None], stdout: OutputWrapper, paused: str) -> None:
    """Run an asker, wait for its calls and print its progress. Raises CommandError."""
    if asker.state != Asker.State.RUNNING:
        try:
            run()
        except BadAsker as error:
            raise CommandError(str(error)) from error
        asker.refresh_from_db()
    while asker.state == Asker.State.RUNNING:
        worked = sending.work_on(pk=asker.pk, askers=type(asker))
        asker.refresh_from_db()
        if not worked and asker.state == Asker.State.RUNNING:
            time.sleep(PAUSE)  # the endpoint asks to wait, or another process sends its calls
        stdout.write(progress.progress_of(asker, now=database_now()).sentence())
    if asker.state == Asker.State.PAUSED:
        raise CommandError(asker.said or paused)
