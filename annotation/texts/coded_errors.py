"""Base of errors that have a code for programs and a sentence for people."""

import copyreg
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
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__
