"""A real Chromium with the recorder of the writing page and nothing else: no server, no database.

What a hand does there is counted beside it, letter by letter, and compared with the measures.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Route, expect

from tests.writing.recorder.hands import Act
from writing.log.eventlog import Event, decode

STATIC = Path(__file__).parents[3] / "static"
HOST = "https://desk.test"
PAGE = """<!doctype html><meta charset="utf-8"><title>Desk</title>
<textarea data-text rows="8" cols="80"></textarea>
<ol data-passages-list></ol>
<script type="module">
  import { createClipboard } from "/static/js/recorder/clipboard.js";
  import { createLog } from "/static/js/recorder/log.js";
  import { createRecorder } from "/static/js/recorder/recorder.js";
  const field = document.querySelector("[data-text]");
  const passages = PASSAGES;
  const list = document.querySelector("[data-passages-list]");
  for (const { number, text } of passages) {
    const item = Object.assign(document.createElement("li"), { textContent: text });
    item.dataset.passage = number;
    list.append(item);
  }
  const time = () => window.clock ?? Math.round(performance.now());
  const log = createLog({ number: 1, seq: 1, text: "", time });
  log.add("start", { length: 0, version: 1, agent: "desk" });
  const session = { record: log.add, edit: log.edit, get text() { return log.text; } };
  createRecorder(field, session, createClipboard(passages));
  window.events = () => log.untaken().flatMap((chunk) => chunk.events);
  window.recorded = () => log.text;
  field.focus();
  field.dataset.ready = "";
</script>"""


COPY = "text => navigator.clipboard.writeText(text)"


class Desk:
    """A page with a recorded field. `events` are those of the log so far."""

    def __init__(self, context: BrowserContext, passages: list[str] | None = None) -> None:
        self.context, self.page = context, context.new_page()
        self.passages = passages or []
        rows = [{"number": n, "text": text} for n, text in enumerate(self.passages)]
        self.html = PAGE.replace("PASSAGES", json.dumps(rows), 1)
        self.page.route("**/*", self._answer)
        self.page.goto(HOST)
        expect(self.page.locator("[data-ready]")).to_be_attached()
        self.devtools = context.new_cdp_session(self.page)

    def _answer(self, route: Route) -> None:
        path = route.request.url.removeprefix(HOST)
        if path.startswith("/static/"):
            route.fulfill(path=STATIC / path.removeprefix("/static/"))
        else:
            route.fulfill(body=self.html, content_type="text/html")

    @property
    def events(self) -> list[Event]:
        return decode(json.dumps(self.page.evaluate("window.events()")).encode())

    @property
    def text(self) -> str:
        shown: str = self.page.locator("[data-text]").input_value()
        return shown

    def play(self, acts: Iterable[Act]) -> None:
        """Do what hands do; from now on the clock of the log is that of the acts."""
        ms, keyboard = self.page.evaluate("performance.now()"), self.page.keyboard
        for act in acts:
            ms += act.gap
            self.devtools.send("Runtime.evaluate", {"expression": f"window.clock = {round(ms)}"})
            if act.kind == "key":
                keyboard.press("Space" if act.text == " " else act.text)
            elif act.kind == "back":
                keyboard.press("Backspace")
            elif act.kind == "compose":
                self.compose(act.text)
            elif act.kind == "commit":
                self.commit(act.text)
            elif act.kind == "copy":
                self.page.evaluate(COPY, act.text)
            elif act.kind == "cut":
                self.select(act.start, act.end)
                keyboard.press("Control+x")
            elif act.kind == "paste":
                self.select(act.start, act.start)
                keyboard.press("Control+v")

    def select(self, start: int, end: int) -> None:
        self.page.locator("[data-text]").evaluate(
            "(field, [start, end]) => field.setSelectionRange(start, end)", [start, end]
        )

    def compose(self, text: str) -> None:
        """Show a composition as an input method does, with the caret behind it."""
        end = len(text.encode("utf-16-le")) // 2
        self.devtools.send(
            "Input.imeSetComposition", {"text": text, "selectionStart": end, "selectionEnd": end}
        )

    def commit(self, text: str) -> None:
        """End a composition with a text, or put one in without a composition (dictation)."""
        self.devtools.send("Input.insertText", {"text": text})


def desk_context(browser: Browser) -> Any:
    return browser.new_context(permissions=["clipboard-read", "clipboard-write"])
