"""Work in a fork of this process, beside this one, so that an export uses two cores."""

import multiprocessing
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Generic, TypeVar

from django.db import connection, connections

Answer = TypeVar("Answer")


def can_fork() -> bool:
    """Return whether a fork is safe here and sees the same rows as this process."""
    return sys.platform == "linux" and not connection.in_atomic_block


def require_first(*_: object) -> None:
    """Raise ProcessLookupError in a fork whose first process was killed: another may write now."""
    first = multiprocessing.parent_process()
    if first is not None and not first.is_alive():
        raise ProcessLookupError("the process that started this one is gone")


class SecondProcess(Generic[Answer]):
    """A fork that works and sends its answer. Both sides open new database connections."""

    def __init__(self, work: Callable[[], Answer]) -> None:
        connections.close_all()
        fork = multiprocessing.get_context("fork")
        self._answer, theirs = fork.Pipe(duplex=False)
        self._process = fork.Process(target=_answer, args=(work, theirs, self._answer))
        self._process.start()
        theirs.close()

    def answer(self) -> Answer:
        """Wait for the answer. Raises the OSError of the work, or ChildProcessError without one."""
        try:
            answer: Answer | OSError = self._answer.recv()
        except EOFError:
            raise ChildProcessError(
                "the second process stopped; it may have run out of memory"
            ) from None
        if isinstance(answer, OSError):
            raise answer
        return answer

    def __enter__(self) -> "SecondProcess[Answer]":
        return self

    def __exit__(self, *_: object) -> None:
        """Wait for its end, also after an error here, so that it leaves no partial file."""
        self._answer.close()
        self._process.join()


def _answer(work: Callable[[], Answer], pipe: Connection, read_by_first: Connection) -> None:
    read_by_first.close()
    answer: Answer | OSError
    try:
        answer = work()
    except OSError as error:
        answer = error
    try:
        pipe.send(answer)
    except BrokenPipeError:
        return  # the other process failed
