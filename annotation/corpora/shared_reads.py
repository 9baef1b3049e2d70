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
_MADE: ContextVar[dict[tuple[Any, ...], tuple[Any, Any]] | None] = ContextVar("made", default=None)
_OF_MANY: ContextVar[bool] = ContextVar("of_many", default=False)


@contextmanager
def shared_reads(*, of_many: bool = False) -> Iterator[None]:
    """Keep what `shared` functions return until the end; nothing may be written meanwhile.

    Within another one, the outer one keeps them. With `of_many`, a part of a table is filtered from
    one read of all of it.
    """
    if _READ.get() is not None:
        yield
        return
    read, made, many = _READ.set({}), _MADE.set({}), _OF_MANY.set(of_many)
    try:
        yield
    finally:
        _READ.reset(read)
        _MADE.reset(made)
        _OF_MANY.reset(many)


def is_of_many() -> bool:
    """Return whether enough outlines share reads to read a table whole."""
    return _OF_MANY.get()


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


def shared_product(make: Callable[[], T], *, of: Sequence[Sequence[Any]], by: tuple[Any, ...]) -> T:
    """Share what is made of the same rows (`of`) in the same way (`by`, hashable)."""
    kept = _MADE.get()
    if kept is None:
        return make()
    key = (*map(id, of), *by)
    if key not in kept:
        kept[key] = of, make()  # with the rows, whose ids nothing else may get meanwhile
    product: T = kept[key][1]
    return product
