"""HTML without the line breaks and indentation of templates, which browsers do not show either."""

from typing import Any

from django.http import HttpResponseBase
from django.test.client import Client

from benchmarks.unchanged.markup import EXACT, INLINE, NAME, SPACE, TOKEN, VALUE

# Expressions that search within a line find these elements one by one.
ENDS_LINE = {
    *("article", "details", "dialog", "dl", "fieldset", "form", "header", "nav", "ol", "section"),
    *("table", "tbody", "thead", "tr", "ul"),
}


def on_lines(html: str) -> str:
    """Return a page with each section, list and row on a line of its own."""
    pieces: list[str] = []
    exact = ""
    parts = [part for part in TOKEN.split(html) if part]
    for at, part in enumerate(parts):
        name = NAME.match(part)
        tag = name[1].lower() if name else ""
        if exact:
            pieces.append(part)
            exact = "" if tag == exact and part.startswith("</") else exact
        elif name:
            pieces.append(_on_line(part))
            exact = tag if tag in EXACT and not part.startswith("</") else ""
            if part.startswith("</") and tag in ENDS_LINE:
                pieces.append("\n")
        else:
            before = parts[at - 1] if at else "<p>"
            after = parts[at + 1] if at + 1 < len(parts) else "</p>"
            pieces.append(_text(part, before, after))
    return "".join(pieces)


def _text(text: str, before: str, after: str) -> str:
    kept = text.lstrip()
    space = text[: len(text) - len(kept)]
    lead = "" if _is_block(before) or ("\n" in space and not before.startswith("</")) else space
    if not kept:
        is_layout = "\n" in space and after.startswith("</")
        return "" if not lead or _is_block(after) or is_layout else " "
    shown = kept.rstrip()
    space = kept[len(shown) :]
    tail = "" if _is_block(after) or ("\n" in space and after.startswith("</")) else space
    return SPACE.sub(" ", lead + shown + tail)


def _is_block(tag: str) -> bool:
    name = NAME.match(tag)
    return (bool(name) and name[1].lower() not in INLINE) or tag.startswith("<!")


def _on_line(tag: str) -> str:
    """Return a tag with one space between its attributes."""
    parts = VALUE.split(tag)
    for at, part in enumerate(parts):
        if not at % 2 or parts[at - 1].endswith(" class="):
            parts[at] = SPACE.sub(" ", part)
    shown = "".join(parts)
    return shown[:-2] + ">" if shown.endswith(" >") else shown


def read_on_lines() -> None:
    """Let the test client return pages so."""
    request = Client.request

    def request_on_lines(self: Client, **given: Any) -> HttpResponseBase:
        response = request(self, **given)
        is_page = response.get("Content-Type", "").startswith("text/html")
        is_file = "Content-Disposition" in response or "Content-Encoding" in response
        if is_page and not is_file and not response.streaming:
            response.content = on_lines(response.content.decode()).encode()
        return response

    Client.request = request_on_lines  # type: ignore[method-assign]
