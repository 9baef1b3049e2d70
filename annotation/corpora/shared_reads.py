"""Reads of a corpus that are shared while several outlines of it are computed.

The built-in methods are outlined one after another on the same texts. Within `shared_reads` each of
these reads happens once.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
_READ: ContextVar[dict[tuple[Any, ...], Sequence[Any]] | None] = ContextVar("read", default=None)


@contextmanager
def shared_reads() -> Iterator[None]:
    """Keep what `shared` functions return until the end; nothing may be written meanwhile.

    Within another one, the outer one keeps them.
    """
    if _READ.get() is not None:
        yield
        return
    token = _READ.set({})
    try:
        yield
    finally:
        _READ.reset(token)


def shared(read: Callable[P, Sequence[T]]) -> Callable[P, Sequence[T]]:
    """Share the rows that a function returns for the same arguments, which are hashable."""

    @wraps(read)
    def once(*args: P.args, **named: P.kwargs) -> Sequence[T]:
        kept = _READ.get()
        if kept is None:
            return read(*args, **named)
        key = (read, args, tuple(sorted(named.items())))
        if key not in kept:
            kept[key] = tuple(read(*args, **named))
        return kept[key]

    return once
