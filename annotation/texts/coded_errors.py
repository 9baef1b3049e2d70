"""Base of errors that have a code for programs and a sentence for people."""

from typing import Any


class CodedError(ValueError):
    """Error with one full sentence and a code that does not change with it.

    A subclass exists only where it is caught by name.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without calling the constructor, whose arguments differ between subclasses."""
        return _without_init, (type(self), self.args), self.__dict__


def _without_init(error: type[CodedError], args: tuple[Any, ...]) -> CodedError:
    return error.__new__(error, *args)
