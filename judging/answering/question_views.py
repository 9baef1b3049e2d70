"""Questions on a judging page, and their HTML, which is remembered.

Workers see the same questions on every page. Only position and request number of a field are
always their own: they fill the holes of the remembered HTML. Words of a worker are not remembered.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from judging.answering.fragments import filled, pieces
from judging.models import Question

SHORT = 10  # characters of a label that five answers side by side have room for
MAX_REMEMBERED = 1_000  # questions, of a few kB each


@dataclass(frozen=True)
class OptionView:
    """`digit` is the key that chooses the option, `slot` the place that it chooses."""

    code: str
    label: str
    digit: int | None
    checked: bool
    slot: str = ""
    definition: str = ""


@dataclass(frozen=True)
class FieldView:
    """An input: an item has one a question, or one a question and slot.

    No two fields that are `apart` by the same word choose the same place.
    """

    name: str
    slot: str
    label: str
    kind: str  # options, range (as a row of buttons), slider, number or text
    options: Sequence[OptionView]
    raw: str
    comment: str
    number: int = field(compare=False)
    spec: dict[str, Any] = field(compare=False)  # of the question
    position: int = field(compare=False)
    apart: str = ""

    @property
    def middle(self) -> str:
        """The step in the middle of a range: where a slider begins, which is no answer."""
        low, step = self.spec["min"], self.spec.get("step", 1)
        return f"{low + (self.spec['max'] - low) / step // 2 * step:.15g}"

    @property
    def layout(self) -> str:
        """Side by side if the labels have room, on a phone too."""
        n, longest = (
            len(self.options),
            max((len(option.label) for option in self.options), default=0),
        )
        is_row = self.kind == "range" or n <= 4 or (n == 5 and longest <= SHORT)
        return "row" if is_row else "list"

    @property
    def place(self) -> SafeString:
        """The attributes that saving reads."""
        return format_html('data-position="{}" data-number="{}"', self.position, self.number)

    @property
    def has_words(self) -> bool:
        """Return whether the worker has written something."""
        return bool(self.comment) or (self.kind == "text" and bool(self.raw))


@dataclass(frozen=True, eq=False)
class QuestionView:
    """`mark` is its prefix on the page, `title` a heading above an instrument's first question."""

    question: Question
    fields: Sequence[FieldView]
    mark: str
    title: str = ""

    # The same question object is the same version of it; its id may be used again.
    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, QuestionView)
            and self.question is other.question
            and (self.fields, self.mark, self.title) == (other.fields, other.mark, other.title)
        )

    def __hash__(self) -> int:
        return hash((id(self.question), self.fields, self.mark))

    @property
    def options(self) -> Sequence[OptionView]:
        """The answers to choose from, the same for each slot."""
        return self.fields[0].options if self.fields else []

    @property
    def explains_answers(self) -> bool:
        return any(option.definition for option in self.options)

    @property
    def html(self) -> SafeString:
        has_words = any(view.has_words for view in self.fields)
        around = (_pieces if has_words else _remembered)(self, get_language())
        return filled(around, (view.place for view in self.fields))


def _pieces(view: QuestionView, language: str | None) -> list[str]:
    return pieces("judging/_question.html", view=view)


_remembered = lru_cache(maxsize=MAX_REMEMBERED)(_pieces)
