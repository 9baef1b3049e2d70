"""The methods that come along as cards, and how their list is narrowed. Only reads."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.text import slugify
from django.utils.translation import gettext

from annotation.corpora.contents import holdings
from annotation.lists import parameter, search_words
from annotation.models import Corpus, Study
from annotation.studies.drafts.kinds import Method, registered_kinds
from annotation.texts.sentences import marked

ALL, OF_A_PAPER = "all", "paper"


@dataclass(frozen=True)
class Card:
    kind: str
    name: str
    title: str
    source: str
    method: Method
    lacks: str = ""  # why it can do nothing with the corpus at hand

    @property
    def family(self) -> str:
        """What the family is called in addresses."""
        return slugify(self.method.family)

    @property
    def words(self) -> str:
        """All that is read on it, to be searched."""
        method = self.method
        descriptions = (method.family, method.asks, method.shows, method.not_for, method.paper)
        texts = (self.name, self.title, self.source, *map(gettext, filter(None, descriptions)))
        return "\n".join(texts).casefold()


@dataclass(frozen=True)
class Tab:
    key: str
    title: str
    count: int


@dataclass(frozen=True)
class Cards:
    """What is shown: `families` by their title; `tabs` count what the search finds."""

    families: dict[str, list[Card]]
    tabs: list[Tab]
    show: str
    q: str


LACKS = {
    "response": marked("This corpus has no responses."),
    "passage": marked("This corpus has no passages."),
}
LACKS_PARTS = marked("This corpus has no summaries with sections.")


def cards_of(request: HttpRequest, corpus: Corpus | None) -> Cards:
    """Return the cards of methods for a search, those that fit the corpus first.

    `q` searches their texts; `show` is a family, or the published studies.
    """
    q = search_words(request)
    cards = sorted(_cards(corpus), key=lambda each: bool(each.lacks))
    titles = {card.family: card.method.family for card in cards}
    matches = [card for card in cards if q.casefold() in card.words]
    counts = {
        ALL: len(matches),
        **{key: sum(match.family == key for match in matches) for key in titles},
        OF_A_PAPER: sum(bool(match.method.paper) for match in matches),
    }
    names = {ALL: marked("All"), **titles, OF_A_PAPER: marked("From a published study")}
    show = parameter(request, "show")
    show = show if show in names else ALL
    families: dict[str, list[Card]] = {}
    for candidate in matches:
        if show in (ALL, candidate.family) or (show == OF_A_PAPER and candidate.method.paper):
            families.setdefault(candidate.method.family, []).append(candidate)
    return Cards(families, [Tab(key, names[key], n) for key, n in counts.items()], show, q)


def _cards(corpus: Corpus | None) -> Iterator[Card]:
    available = holdings(corpus) if corpus else None
    for kind, study_kind in sorted(registered_kinds().items()):
        for name, method in study_kind.methods.items():
            instrument: Any = study_kind.load(name, Study.Language.EN)
            missing = study_kind.needs(instrument) - available if available is not None else ()
            lacks = _lacks(missing)
            yield Card(kind, name, str(instrument.title), str(instrument.source), method, lacks)


def _lacks(missing: Collection[str]) -> str:
    """Responses come first: without them there are no parts of them, either."""
    for part in sorted(missing, key=lambda each: list(LACKS).index(each) if each in LACKS else 9):
        return gettext(LACKS.get(part, LACKS_PARTS))
    return ""
