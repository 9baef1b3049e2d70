"""Elements of a page, found by their `data-` hook, id or class instead of by their words."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

from benchmarks.unchanged.markup import INLINE

VOID = {"br", "col", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
TOKEN = re.compile(r' name="csrfmiddlewaretoken" value="[^"]*"')
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")


@dataclass
class Element:
    """An element with its attributes, its own text and that of the elements in it."""

    tag: str
    attributes: dict[str, str]
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return " ".join("".join(self.pieces).split())

    @property
    def numbers(self) -> list[float]:
        """The numbers in the text, in its order."""
        return numbers(self.text)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self.open: list[Element] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.part(tag)
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        self.part(tag)
        if any(element.tag == tag for element in self.open):
            while self.open.pop().tag != tag:
                pass

    def part(self, tag: str) -> None:
        """Keep the words of neighbouring blocks apart."""
        if tag not in INLINE or tag == "br":
            self.handle_data(" ")

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element.pieces.append(data)


def elements(page: str, name: str, value: str | None = None) -> list[Element]:
    """Return the elements with an attribute, or with a value among those of it."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return [
        element
        for element in reader.elements
        if name in element.attributes
        and (value is None or value in (whole := element.attributes[name], *whole.split()))
    ]


def without_tokens(page: str) -> str:
    """Return a page without its CSRF tokens, in which any short word may stand by chance."""
    return TOKEN.sub("", page)


def element(page: str, name: str, value: str | None = None) -> Element:
    """Return the only element with an attribute."""
    [only] = elements(page, name, value)
    return only


def values(page: str, name: str) -> list[str]:
    """Return the values of an attribute, in the order of the page."""
    return [element.attributes[name] for element in elements(page, name)]


def invalid_fields(page: str) -> list[str]:
    """Return the names of the fields whose values are not right."""
    return [field.attributes["name"] for field in elements(page, "aria-invalid", "true")]


def outlined(sentences: list[str], *outlines: str) -> bool:
    """Compare sentences with outlines: how they begin, then values and terms in any order."""
    return len(sentences) == len(outlines) and all(map(_is_outlined, sentences, outlines))


def _is_outlined(sentence: str, outline: str) -> bool:
    start, *facts = re.split(r"(?:^| )… ", outline)
    return sentence.startswith(start) and all(
        re.search(rf"(?<!\w){re.escape(fact)}(?!\w)", sentence[len(start) :]) for fact in facts
    )


def numbers(text: str) -> list[float]:
    """Return the numbers in a text, in its order."""
    return [float(number.replace(",", "")) for number in NUMBER.findall(text)]
