"""The methods that come along as cards, and how their list is narrowed. Only reads."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.text import slugify
from django.utils.translation import gettext

from annotation.console.paging import said, sought
from annotation.drafts.kinds import Method, known
from annotation.models import Study
from annotation.texts.sentences import marked

ALL, OF_A_PAPER = "all", "paper"


@dataclass(frozen=True)
class Card:
    kind: str
    name: str
    title: str
    source: str
    method: Method

    @property
    def family(self) -> str:
        """What the family is called in addresses."""
        return slugify(self.method.family)

    @property
    def words(self) -> str:
        """All that is read on it, to be searched."""
        method = self.method
        told = (method.family, method.asks, method.shows, method.not_for, method.paper)
        said = (self.name, self.title, self.source, *map(gettext, filter(None, told)))
        return "\n".join(said).casefold()


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


def cards_of(request: HttpRequest) -> Cards:
    """The cards that an address asks for: `q` of what is read on them, `show` of a family, or of
    studies of published papers."""
    q = sought(request)
    cards = list(_cards())
    titles = {each.family: each.method.family for each in cards}
    found = [each for each in cards if q.casefold() in each.words]
    counts = {
        ALL: len(found),
        **{key: sum(each.family == key for each in found) for key in titles},
        OF_A_PAPER: sum(bool(each.method.paper) for each in found),
    }
    names = {ALL: marked("All"), **titles, OF_A_PAPER: marked("From a published study")}
    show = said(request, "show")
    show = show if show in names else ALL
    families: dict[str, list[Card]] = {}
    for each in found:
        if show in (ALL, each.family) or (show == OF_A_PAPER and each.method.paper):
            families.setdefault(each.method.family, []).append(each)
    return Cards(families, [Tab(key, names[key], n) for key, n in counts.items()], show, q)


def _cards() -> Iterator[Card]:
    for kind, each in sorted(known().items()):
        for name, method in each.methods.items():
            instrument: Any = each.load(name, Study.Language.EN)
            yield Card(kind, name, str(instrument.title), str(instrument.source), method)
