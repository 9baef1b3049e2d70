"""Errors of methods whose number would be meaningless."""

from collections.abc import Iterable

from annotation.texts.coded_errors import CodedError


class CannotCompute(CodedError):
    """Reason why a result does not exist for this input."""


class BadSetting(CannotCompute):
    """A parameter lies outside what the method allows."""

    def __init__(self, name: str, value: object, allowed: str) -> None:
        super().__init__(
            "bad_setting", f"The setting {name} is {value!r}, but it must be {allowed}."
        )
        self.name = name
        self.value = value


def no_votes(measure: str) -> CannotCompute:
    """Return the error of a measure without votes."""
    return CannotCompute("no_votes", f"{measure} cannot be computed because there are no votes.")


def too_few_options(measure: str) -> CannotCompute:
    """Return the error of a measure of a question on which nobody can disagree."""
    return CannotCompute(
        "too_few_options",
        f"{measure} cannot be computed because the question has fewer than two options.",
    )


def missing_columns(missing: Iterable[str], *, frame: str = "votes") -> CannotCompute:
    """Return the error of a frame without columns that a method reads."""
    names = ", ".join(missing)
    return CannotCompute(
        "missing_columns",
        f"The {frame} cannot be read because columns are missing: {names}.",
    )
