"""Count formulas that can't be rendered in the rows of an import. Pages show their source."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from django.utils.translation import gettext, ngettext

from annotation.corpora.rows import CorpusRow
from annotation.corpora.schema import FileLine
from annotation.texts.formula_check import formulas_of, is_drawn

MOST_TRIED = 3_000  # distinct formulas; each check takes a millisecond
MOST_PLACES = 5  # places listed in the message


@dataclass
class FormulaCounts:
    """Formulas that can't be rendered, by row."""

    tried: set[tuple[str, bool]] = field(default_factory=set)
    undrawn: dict[str, set[str]] = field(default_factory=dict)  # place of a row -> its formulas
    untried: int = 0

    def note(self, line: FileLine) -> None:
        """Count the formulas of a row."""
        for text in _texts_of(line.row):
            for formula in formulas_of(text):
                if formula not in self.tried and len(self.tried) >= MOST_TRIED:
                    self.untried += 1
                    continue
                self.tried.add(formula)
                if not is_drawn(*formula):
                    self.undrawn.setdefault(line.place, set()).add(formula[0])

    @property
    def remarks(self) -> list[str]:
        sentences = []
        if count := sum(map(len, self.undrawn.values())):
            places = ", ".join(list(self.undrawn)[:MOST_PLACES])
            if (more := len(self.undrawn) - MOST_PLACES) > 0:
                places = gettext("{places} and {more:,} more").format(places=places, more=more)
            sentence = ngettext(
                "{count:,} formula is shown as source ({places}).",
                "{count:,} formulas are shown as source ({places}).",
                count,
            )
            sentences.append(sentence.format(count=count, places=places))
        if self.untried:
            sentence = ngettext(
                "{count:,} more formula wasn't checked.",
                "{count:,} more formulas weren't checked.",
                self.untried,
            )
            sentences.append(sentence.format(count=self.untried))
        return sentences


def _texts_of(row: CorpusRow) -> Iterator[str]:
    """Yield the texts of a row that pages show."""
    texts = {name: getattr(row, name) for name in row.limits}
    if answered := row.answered():
        texts[answered[0]] = answered[1]
    yield from (text for text in texts.values() if isinstance(text, str))
    for turn in getattr(row, "messages", None) or ():
        yield turn.content
