"""Match the names of an official order to the systems or texts of its corpus. Only reads."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from annotation.models import Corpus, OfficialOrder, Response


@dataclass(frozen=True)
class MatchedOrder:
    """An official order with the systems or texts of the corpus.

    scores: system key -> score, higher is better. texts: the same by response key. unmatched: names
    in the file without a match. without: systems that are missing in a file that has systems.
    """

    order: OfficialOrder
    scores: Mapping[str, float]
    texts: Mapping[str, float]
    unmatched: tuple[str, ...]
    without: tuple[str, ...]

    @property
    def matched(self) -> list[str]:
        """The keys of the systems and responses with a score."""
        return sorted([*self.scores, *self.texts])


def matched_orders(corpus: Corpus) -> list[MatchedOrder]:
    """Return the official orders of a corpus, by name."""
    orders = list(corpus.official_orders.order_by("name"))
    systems = list(corpus.systems.order_by("key").values_list("key", "name")) if orders else []
    return [_matched(order, systems) for order in orders]


def _matched(order: OfficialOrder, systems: Iterable[tuple[str, str]]) -> MatchedOrder:
    sign = -1.0 if order.better == OfficialOrder.Better.LOWER else 1.0
    names = dict(systems)
    keys = matched_names(list(order.values), names)
    scores = {key: sign * float(order.values[name]) for name, key in keys.items()}
    rest = set(order.values) - set(keys)
    responses = Response.objects.filter(corpus=order.corpus_id, key__in=rest).order_by("key")
    texts = {
        key: sign * float(order.values[key]) for key in responses.values_list("key", flat=True)
    }
    unmatched = tuple(sorted(rest - set(texts)))
    without = tuple(name for key, name in names.items() if key not in scores)
    return MatchedOrder(order, scores, texts, unmatched, without if scores or not texts else ())


def matched_names(given: Iterable[str], systems: Mapping[str, str]) -> dict[str, str]:
    """Return the system key of each name; a system matches at most one name.

    systems: key -> name. A given name is compared with the keys, then with the names, then with
    both ignoring case. Ambiguous names are left out.
    """
    keys: dict[str, str] = {}
    for words_of, word_of in WAYS:
        possible = _by_word(systems, words_of, taken={*keys.values()})
        means: defaultdict[str, list[str]] = defaultdict(list)
        for name in sorted(set(given) - set(keys)):
            if len(found := possible.get(word_of(name), [])) == 1:
                means[found[0]].append(name)
        keys |= {names[0]: key for key, names in means.items() if len(names) == 1}
    return keys


def _same(name: str) -> str:
    return name


Words = Callable[[str, str], Iterable[str]]
WAYS: tuple[tuple[Words, Callable[[str], str]], ...] = (
    (lambda key, name: [key], _same),
    (lambda key, name: [name], _same),
    (lambda key, name: [key.casefold(), name.casefold()], str.casefold),
)


def _by_word(
    systems: Mapping[str, str], words_of: Words, *, taken: Collection[str]
) -> dict[str, list[str]]:
    """Match the remaining names to systems by their words."""
    keys: defaultdict[str, list[str]] = defaultdict(list)
    for key, name in systems.items():
        if key not in taken:
            for word in set(words_of(key, name)):
                keys[word].append(key)
    return dict(keys)
