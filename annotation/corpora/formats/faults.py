"""What is wrong with a line of a file, or with what is to be written. Pure."""

from typing import NamedTuple


class Fault(NamedTuple):
    """A line that cannot be taken: the field, and the reason."""

    field: str
    reason: str


class CannotWrite(ValueError):
    """The format has no way to say this; the message names it."""
