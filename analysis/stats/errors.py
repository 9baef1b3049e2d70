"""Errors of methods whose number would be meaningless."""


class CannotCompute(ValueError):
    """A result does not exist for this input; the message is one full sentence for a researcher."""


class BadSetting(CannotCompute):
    """A parameter lies outside what the method allows."""

    def __init__(self, name: str, value: object, allowed: str) -> None:
        super().__init__(f"The setting {name} is {value!r}, but it must be {allowed}.")
        self.name = name
        self.value = value
