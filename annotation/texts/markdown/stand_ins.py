"""Citations while Markdown is read: each is a word that Markdown leaves alone, and is put back.

So `[1]` stays a citation where `[1]: https://example.org` would make it a link.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from django.utils.html import escape

# Marks in the order of a text, each [start, end, ...]: annotation.texts.citations.
Cited = Sequence[Sequence[int]]
# HTML of a citation by its number in the text.
Link = Callable[[int], str]
PRIVATE = range(0xE000, 0xF8FF)  # code points; a text has never all of them


class StandIns:
    """The text with words in the place of its citations.

    Without `link` only citations in square brackets have one: all others are shown as Markdown
    shows them.
    """

    def __init__(self, text: str, cited: Cited | None, link: Link | None) -> None:
        self._source, self._link = text, link
        self._sign = next((chr(code) for code in PRIVATE if chr(code) not in text), "")
        self._marks = [*(cited or ())] if self._sign else []
        sign = self._sign
        self._word = re.compile(rf"\[{sign}(0|[1-9][0-9]*){sign}\]|{sign}0([0-9]+){sign}")
        self.text = "".join(self._with_words())

    def _with_words(self) -> Iterator[str]:
        last = 0
        for number, (start, end, *_) in enumerate(self._marks):
            written = self._source[start:end]
            # Its brackets stay: what stands beside them decides where emphasis begins.
            is_bracket = written.startswith("[") and written.endswith("]")
            if self._link is None and (not is_bracket or written.startswith("[^")):
                continue
            yield self._source[last:start]
            word = f"{self._sign}{number}{self._sign}"
            yield f"[{word}]" if is_bracket else f"{self._sign}0{number}{self._sign}"
            last = end
        yield self._source[last:]

    def marks(self, words: str) -> Iterator[tuple[int, int, str]]:
        """Yield the citations in plain words: start, end and HTML."""
        if not self._marks:
            return
        for match in self._word.finditer(words):
            number = _number(match)
            yield *match.span(), self._link(number) if self._link else self._escaped(number)

    def put_back(self, html: str) -> str:
        """Return HTML with the citations in code, links and attributes as they were written."""
        if not self._marks:
            return html
        return self._word.sub(lambda match: self._escaped(_number(match)), html)

    def _escaped(self, number: int) -> str:
        start, end, *_ = self._marks[number]
        return escape(self._source[start:end])


def _number(match: re.Match[str]) -> int:
    return int(match[1] or match[2])
