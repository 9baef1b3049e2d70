"""Elements of a page by their `data-` hooks, so that tests read no sentences of the interface."""

import re
from html.parser import HTMLParser

VOID = {"br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")


class _Reader(HTMLParser):
    """Reads the values of a hook and the words inside its elements."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.values: list[str] = []
        self.texts: list[str] = []
        self._open: list[tuple[str, int | None]] = []  # tags, with the index of their hook

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        index = None
        attributes = dict(attrs)
        if self.name in attributes:
            index = len(self.values)
            self.values.append(attributes[self.name] or "")
            self.texts.append("")
        if tag not in VOID:
            self._open.append((tag, index))

    def handle_endtag(self, tag: str) -> None:
        if tag in (name for name, _ in self._open):
            while self._open.pop()[0] != tag:
                pass

    def handle_data(self, data: str) -> None:
        for _, index in self._open:
            if index is not None:
                self.texts[index] += data


def _read(page: str, hook: str) -> _Reader:
    reader = _Reader(f"data-{hook}")
    reader.feed(page)
    reader.close()
    return reader


def values(page: str, hook: str) -> list[str]:
    """Return the values of all `data-{hook}` in a page, in order."""
    return _read(page, hook).values


def texts(page: str, hook: str) -> list[str]:
    """Return the words inside all elements with `data-{hook}`, with single spaces."""
    return [" ".join(text.split()) for text in _read(page, hook).texts]


def numbers(text: str) -> list[float]:
    """Return the numbers in a text, in order."""
    return [float(number.replace(",", "")) for number in NUMBER.findall(text)]
