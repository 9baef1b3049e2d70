"""The declaration of a study setting on its field of the document. Pure: no Django.

    hours: Annotated[int, Setting(title=marked("Hours"), form="time", column="hours")] = 1

The form, the faults, the columns of the study, the schema of the API and the table in
docs/study-settings.md follow.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec

Computed = Callable[[Any], Any]


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A setting of a study, of a method or of a part of one.

    Words are English message ids; the form translates them. `title`, `help`, `unit`, `blank`,
    `reshapes` and `folds` may be computed from the document, or from the method or part in plain
    data.
    """

    title: str | Computed = ""
    help: str | Computed = ""
    unit: str | Computed = ""
    blank: str | Computed = ""  # what an empty field means, in a word or two
    form: str = ""  # group of the form, see `study_sheets.FORMS`; empty: in no form
    order: int = 0  # in its group, where the form has another order than the document
    widget: str = ""  # as `sheets.Field.control`; empty: by the type
    choices: tuple[tuple[str, str], ...] = ()
    suggestions: tuple[str, ...] = ()  # below a line that takes any text
    wide: bool = False
    reshapes: bool | Computed = False  # the page changes with its value
    folds: bool | Computed = False  # folded while it has its default
    shown: Computed = lambda document: True
    screen: str = ""  # the page of a worker that shows it, as `editor_forms.Field.screen`
    column: str = ""  # of the model Study; its limits are faults of this setting
    copied: bool = True  # a copy of the study has it too
    if_blank: str = ""  # fault of an empty text
    minimum: int | None = None
    maximum: int | None = None
    max_length: int | None = None
    if_outside: str = ""  # fault of a value outside these three limits
    # Filled in by `settings_in`.
    path: str = ""
    type: Any = None
    default: Any = None

    def value_in(self, document: Any) -> Any:
        """Return the value that a document has for this setting."""
        for name in self.path.split("/"):
            document = document[name] if isinstance(document, dict) else getattr(document, name)
        return document

    def is_outside(self, value: float | Decimal | str | None) -> bool:
        """Return whether a value breaks one of the declared limits."""
        if value is None:
            return False
        if isinstance(value, str):
            return self.max_length is not None and len(value) > self.max_length
        too_small = self.minimum is not None and value < self.minimum
        return too_small or (self.maximum is not None and value > self.maximum)


@cache
def settings_in(struct: type[msgspec.Struct], *, within: str = "") -> tuple[Setting, ...]:
    """Return the settings of a struct and of the structs in it, in their order."""
    own, settings = declared_in(struct), []
    for field in msgspec.structs.fields(struct):
        path, kind = f"{within}{field.name}", _bare(field.type)
        if field.name in own:
            settings.append(replace(own[field.name], path=path))
        if _is_struct(kind):
            settings += settings_in(kind, within=f"{path}/")
    return tuple(settings)


@cache
def declared_in(struct: type[msgspec.Struct]) -> dict[str, Setting]:
    """Return the settings of a struct by field, without those of the structs in it."""
    declared = {}
    for field in msgspec.structs.fields(struct):
        if setting := _setting_on(field.type):
            default = None if field.default is msgspec.NODEFAULT else field.default
            declared[field.name] = replace(
                setting, path=field.name, type=_bare(field.type), default=default
            )
    return declared


def structs_in(kind: Any) -> Iterator[type[msgspec.Struct]]:
    """Yield the structs that a type is made of."""
    if _is_struct(kind):
        yield kind
    fields = msgspec.structs.fields(kind) if _is_struct(kind) else ()
    for part in (*get_args(kind), *(field.type for field in fields)):
        yield from structs_in(part)


def value_type(kind: Any) -> Any:
    """Return a type without its None."""
    if get_origin(kind) in (Union, UnionType):
        parts = [part for part in get_args(kind) if part is not type(None)]
        return parts[0] if len(parts) == 1 else kind
    return kind


def _setting_on(annotation: Any) -> Setting | None:
    if get_origin(annotation) is not Annotated:
        return None
    notes = get_args(annotation)[1:]
    return next((note for note in notes if isinstance(note, Setting)), None)


def _bare(annotation: Any) -> Any:
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)
