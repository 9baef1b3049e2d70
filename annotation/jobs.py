"""Jobs for the workers, handed over without making anybody wait for the broker.

A message is only a hint: the database knows what is to do, and a sweep finds it. So a request that
has done its work is answered as always when the broker is away, hangs, or has no memory left.
"""

import threading
import time
from collections.abc import Callable
from typing import Any, TypeAlias

import structlog
from celery import Signature, Task
from django.db import transaction
from kombu.exceptions import KombuError
from kombu.pools import producers

log = structlog.get_logger(__name__)

Job: TypeAlias = "Task[..., Any] | Signature[Any]"  # the latter by name, without its imports

PATIENCE = 1.0  # seconds that a request waits for the broker
PAUSE = 10.0  # seconds in which a broker that failed is asked no more
# Tasks that ask a platform have an end where the pool can end a task (prefork). In any pool each
# call has one (annotation.outgoing), and the next sweep goes on where a task was ended.
CALL_LIMIT = 300  # seconds; one call with all its repeats needs 220 at most
CALLS_LIMIT = 900  # seconds
GRACE = 30  # seconds from the friendly end to the hard one


class Breaker:
    """Lets everybody through while the broker answers, afterwards one each pause."""

    def __init__(self) -> None:
        self.has_failed, self.closed_until = False, 0.0
        self.lock = threading.Lock()

    def lets_through(self) -> bool:
        with self.lock:
            now = time.monotonic()
            if now < self.closed_until:
                return False
            if self.has_failed:
                self.closed_until = now + PAUSE  # the others wait for what this one finds
            return True

    def tell(self, *, failed: bool) -> None:
        with self.lock:
            self.has_failed = failed
            self.closed_until = time.monotonic() + PAUSE if failed else 0.0


breaker = Breaker()  # of this process


def after_commit(function: Callable[..., Any], *arguments: Any) -> None:
    """Call the function once all is committed; an error of it is logged and changes nothing."""

    # Django logs the error with the function's __qualname__, which a `partial` has not.
    def call() -> None:
        function(*arguments)

    transaction.on_commit(call, robust=True)


def send_after_commit(task: Job, *arguments: Any) -> None:
    """Send the job once what it is about is committed."""
    after_commit(send, task, *arguments)


def send(task: Job, *arguments: Any) -> bool:
    """Send the job; return whether the broker has it. Where it has not, a sweep finds the work."""
    if not breaker.lets_through():
        return False
    try:
        with producers[_connection(task)].acquire(block=True, timeout=PATIENCE) as producer:
            task.apply_async(arguments, producer=producer, retry=False)
    except (KombuError, OSError) as error:
        breaker.tell(failed=True)
        log.error(
            "the broker cannot be reached: jobs wait for the sweep",
            task=task.name,
            arguments=arguments,
            error=str(error),
        )
        return False
    breaker.tell(failed=False)
    return True


def _connection(task: Job) -> Any:
    """Return the broker's address with short time-outs; workers use longer ones."""
    options = {
        **task.app.conf.broker_transport_options,
        "socket_timeout": PATIENCE,
        "socket_connect_timeout": PATIENCE,
        "max_retries": 0,
    }
    return task.app.connection_for_write(transport_options=options)
