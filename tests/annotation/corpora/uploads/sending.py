"""What a browser sends of a form: every field with what it shows, chosen or not."""

from html.parser import HTMLParser
from typing import Any


class _Form(HTMLParser):
    def __init__(self, form: str) -> None:
        super().__init__()
        self._form, self._is_inside = form, False
        self.fields: dict[str, str] = {}
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, Any]]) -> None:
        has = dict(attrs)
        if tag == "form":
            self._is_inside = has.get("id") == self._form
            return
        name = has.get("name", "")
        is_ours = has.get("form", self._form if self._is_inside else "") == self._form
        if tag == "option" and self._select:
            # The first one is chosen where none says that it is.
            if self._select not in self.fields or "selected" in has:
                self.fields[self._select] = has.get("value", "")
        elif tag == "select":
            self._select = name if is_ours else ""
        elif tag == "input" and is_ours and name and _is_sent(has):
            self.fields[name] = has.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._is_inside = False
        elif tag == "select":
            self._select = ""


def _is_sent(field: dict[str, Any]) -> bool:
    return field.get("type") not in ("checkbox", "radio") or "checked" in field


def sent_by_a_browser(page: str, *, form: str = "check") -> dict[str, str]:
    """Return the fields of the form with this id, as sent if unchanged."""
    found = _Form(form)
    found.feed(page)
    fields = {name: value.replace("\n", "\r\n") for name, value in found.fields.items()}
    return {name: value for name, value in fields.items() if name != "csrfmiddlewaretoken"}
