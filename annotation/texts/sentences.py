"""Sentences for people, said in the language of whoever reads them. Pure: no Django.

Whoever writes a sentence does not know its reader. So it keeps its words and its figures apart:
as it stands it is English, and the page that shows it finds the words of its own language
(annotation.texts.translation).
"""

from typing import Any


class Sentence(str):
    """English text with placeholders for `values`, such as {number}.

    `plural` is the text for numbers other than one. The catalogues extract the literals.
    """

    words: str
    plural: str
    number: int
    values: dict[str, Any]

    def __new__(cls, words: str, plural: str = "", number: int = 1, /, **values: Any) -> "Sentence":
        sentence = super().__new__(
            cls, (plural if plural and number != 1 else words).format(**values)
        )
        sentence.words, sentence.plural, sentence.number = words, plural, number
        sentence.values = values
        return sentence

    def __getnewargs_ex__(self) -> tuple[tuple[str, str, int], dict[str, Any]]:
        return (self.words, self.plural, self.number), self.values

    def __deepcopy__(self, memo: dict[int, Any]) -> "Sentence":
        return self  # a copy made of its text alone would take that for words


def marked(words: str) -> str:
    """Return the words unchanged; the call marks them for the catalogues."""
    return words
