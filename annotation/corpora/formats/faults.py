"""Faults of lines that are read or written, and structs that ignore no field. Pure."""

from typing import NamedTuple

import msgspec


class Strict(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A struct that refuses unknown fields: read and written, they would be lost."""


class FormatFault(NamedTuple):
    """A line that cannot be taken: the field, the reason, and the value that could be another."""

    field: str
    reason: str
    value: str = ""
