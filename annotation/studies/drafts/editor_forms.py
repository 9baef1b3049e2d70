"""Sections, groups, fields and lists of the editor, as plain data. Only reads."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from django.utils.translation import gettext

from annotation.studies.drafts import paths
from annotation.texts.sentences import marked

Choice = tuple[str, str]
NOT_FOLDED = object()
MOST_NAMED = 3  # folded fields with one value
DAY = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True)
class HelpEntry:
    """The help of a field, list or group; those with the same words are one."""

    label: str
    help: str

    @property
    def key(self) -> str:
        return f"{self.label}: {self.help}"


@dataclass(frozen=True)
class Field:
    """`control` is how it is edited: line, text, markdown, number, day, choice or yes."""

    path: str
    label: str
    value: Any
    control: str = "line"
    help: str = ""  # in the panel about the section
    hint: str = ""  # below the field: what follows from the present value
    blank: str = ""  # what an empty field means
    unit: str = ""
    choices: tuple[Choice, ...] = ()
    # What is offered below a line; anything else may be written, too.
    suggestions: Iterable[str] = field(default=(), compare=False)
    wide: bool = False
    # Whether the page is laid out otherwise once it has another value.
    shapes: bool = False
    fault: str = ""
    is_todo: bool = False  # the fault is what nobody has said yet
    theirs: str | None = None
    # The page of a worker that shows it, where one does: its key in `StudyKind.screens`.
    screen: str = ""
    # What nearly everybody takes: as long as it stands there, the field is folded.
    usual: Any = NOT_FOLDED
    # What a button says that puts what is suggested there; empty where it stands there.
    take: str = ""

    @property
    def is_folded(self) -> bool:
        """A fault, or what somebody else wrote, is seen at once."""
        return self.value == self.usual and not self.fault and self.theirs is None

    @property
    def help_key(self) -> str:
        return HelpEntry(self.label, self.help).key if self.help else ""

    @property
    def is_day(self) -> bool:
        """True if a date field can show it: what was typed and is no day stands as it was."""
        return self.control == "day" and (not self.value or bool(DAY.fullmatch(self.value)))

    @property
    def words(self) -> str:
        """Its value as people read it beside its name."""
        if self.control == "yes":
            return gettext("yes") if self.value else gettext("no")
        label = dict(self.choices).get(self.value, self.value)
        return str(label) if label not in (None, "") else self.blank or gettext("empty")


@dataclass(frozen=True)
class Element:
    """An element of a list, which can be moved and removed."""

    path: str
    title: str
    fields: tuple[Field, ...]
    lists: tuple["ElementList", ...] = ()
    is_open: bool = False


@dataclass(frozen=True)
class ElementList:
    """A list in the editor; `noun` names one element.

    Without `adds` it cannot grow. With `pick` elements can be picked from the corpus. A `seldom`
    used one is folded while it is empty.
    """

    path: str
    title: str
    noun: str
    elements: tuple[Element, ...]
    help: str = ""
    adds: bool = True
    dense: bool = False
    pick: bool = False
    seldom: bool = False
    fault: str = ""
    is_todo: bool = False

    @property
    def is_folded(self) -> bool:
        return self.seldom and not self.elements and not self.fault


@dataclass(frozen=True)
class FieldGroup:
    section: str
    title: str
    fields: tuple[Field, ...] = ()
    lists: tuple[ElementList, ...] = ()
    help: str = ""
    path: str = ""  # of an instrument that can be removed
    boxes: tuple[Field, ...] = ()  # one for each system, in a fold
    taken: Any = (
        None  # the topics that take part (annotation.console.builder.topic_choice.TopicsShown)
    )

    @property
    def ticked(self) -> int:
        return sum(bool(box.value) and box.value != "no" for box in self.boxes)

    @property
    def open_fields(self) -> list[Field]:
        return [field for field in self.fields if not field.is_folded]

    @property
    def folded_fields(self) -> list[Field]:
        return [field for field in self.fields if field.is_folded]

    @property
    def folded_words(self) -> str:
        """The folded fields with their values; neighbours with the same one have it once.

        Many fields with one value have no names.
        """
        values = {each.words for each in self.folded_fields}
        if len(values) == 1 and len(self.folded_fields) > MOST_NAMED:
            return values.pop()
        groups = groupby(self.folded_fields, key=lambda each: each.words)
        return "; ".join(
            f"{', '.join(form_field.label for form_field in some)}: {words}"
            for words, some in groups
        )


@dataclass(frozen=True)
class EditorSection:
    key: str
    title: str
    groups: tuple[FieldGroup, ...] = field(default=())

    @property
    def about(self) -> list[HelpEntry]:
        """The help of its groups, lists and fields, each once."""
        entries = [entry for group in self.groups for entry in _help_of_group(group)]
        return list(dict.fromkeys(entry for entry in entries if entry.help))


def _help_of_group(group: FieldGroup) -> Iterator[HelpEntry]:
    yield HelpEntry(group.title, group.help)
    yield from map(_help_of_field, group.fields)
    yield from _help_of_lists(group.lists)


def _help_of_lists(lists: Iterable[ElementList]) -> Iterator[HelpEntry]:
    for elements in lists:
        yield HelpEntry(elements.title, elements.help)
        for element in elements.elements:
            yield from map(_help_of_field, element.fields)
            yield from _help_of_lists(element.lists)


def _help_of_field(field: Field) -> HelpEntry:
    return HelpEntry(field.label, field.help)


SECTIONS = (
    EditorSection("texts", marked("Texts and questions")),
    EditorSection("instructions", marked("Instructions and consent")),
    EditorSection("forms", marked("Forms and screening")),
    EditorSection("design", marked("Tasks")),
    EditorSection("recruitment", marked("Recruitment and pay")),
    EditorSection("quality", marked("Quality")),
)


def listing(
    document: Any,
    path: str,
    title: str,
    noun: str,
    of: Callable[[str, Any], Element],
    **more: Any,
) -> ElementList:
    """Return a list of the document, with the fields that `of` makes of each path and value."""
    elements = paths.at(document, path)
    elements_shown = tuple(
        of(f"{path}/{paths.joined(name)}", element)
        for name, element in zip(paths.names(elements), elements, strict=True)
    )
    return ElementList(path, title, noun, elements_shown, **more)


def translated_choices(choices: Iterable[Choice]) -> tuple[Choice, ...]:
    """Return the choices in the language of the reader."""
    return tuple((key, gettext(words)) for key, words in choices)
