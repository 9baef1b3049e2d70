"""SVG as strings: elements, escaped words, rounded numbers, and the document around them.

Bytes are the same for the same data. There is no id (two plots may share a page), no inline
style (the content security policy forbids it) and no script: looks come from classes, whose
rules are in static/css/plots.css.
"""

import math
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NewType
from xml.sax.saxutils import escape, quoteattr

from annotation.texts.coded_errors import CodedError

Markup = NewType("Markup", str)  # escaped; everything else is a str

# What XML 1.0 cannot hold (section 2.2), and what would turn the writing direction of the page.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_DIRECTIONS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class CannotPlot(CodedError):
    """Reason why data make no plot."""


def finite(value: float, name: str) -> float:
    """Return the value as a float, -0 and underflow as 0. Raises CannotPlot (not_finite)."""
    number = float(value)
    if not math.isfinite(number):
        raise CannotPlot("not_finite", f"A plot needs finite numbers, but {name} is {value}.")
    return 0.0 if abs(number) < 1e-290 else number


def plain(text: object) -> str:
    """Return one line of text that is valid in XML."""
    return " ".join(_DIRECTIONS.sub("", _FORBIDDEN.sub("\ufffd", str(text))).split())


def words(text: object) -> Markup:
    """Return text as the content of an element."""
    return Markup(escape(plain(text)))


def join(parts: Iterable[Markup]) -> Markup:
    return Markup("".join(parts))


def tag(name: str, *content: Markup, **attributes: str | float | None) -> Markup:
    """Return an element; `class_` is class, `stroke_dasharray` stroke-dasharray, None nothing."""
    written = "".join(
        f" {_attribute(key)}={_quoted(key, value)}"
        for key, value in attributes.items()
        if value is not None
    )
    if not content:
        return Markup(f"<{name}{written}/>")
    return Markup(f"<{name}{written}>{''.join(content)}</{name}>")


@lru_cache(maxsize=100)
def _attribute(key: str) -> str:
    return key if key == "viewBox" else key.rstrip("_").replace("_", "-")


def _quoted(key: str, value: str | float) -> str:
    if isinstance(value, str):
        return _class(value) if key == "class_" else quoteattr(plain(value))
    return f'"{coordinate(value, key)}"'


@lru_cache(maxsize=200)
def _class(names: str) -> str:
    """Return the class attribute; few class names are on every mark of a plot."""
    return quoteattr(plain(names))


def coordinate(value: float, name: str = "a coordinate") -> str:
    """Return a length in viewBox units with at most one decimal."""
    return f"{round(finite(value, name), 1) + 0.0:g}"


def document(
    *body: Markup, title: str, description: str, width: float, height: float, kind: str
) -> str:
    """Return the whole plot: an image to assistive technology, named by title and desc."""
    drawing = tag("g", *body, aria_hidden="true")
    return tag(
        "svg",
        tag("title", words(title)),
        tag("desc", words(description)),
        drawing,
        xmlns="http://www.w3.org/2000/svg",
        class_=f"plot plot-{kind}",
        role="img",
        viewBox=f"0 0 {coordinate(width)} {coordinate(height)}",
        width=width,
        height=height,
    )
