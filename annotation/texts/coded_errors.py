"""Base of errors that have a code for programs and a sentence for people."""


class CodedError(ValueError):
    """Error with one full sentence and a code that does not change with it.

    A subclass exists only where it is caught by name.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
