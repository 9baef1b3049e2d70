"""Choice of the passages of a corpus that a model is asked about."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from annotation.corpora import contents
from annotation.models import Corpus, Passage
from judging.queries.joining import groups_of


@dataclass(frozen=True)
class PassageChoice:
    """All passages, or those with the words `sought`; of those `drawn` at random, or all.

    `joined`: tokens, about, to which neighbouring passages are joined; they count as one.
    """

    sought: str = ""
    drawn: int | None = None
    seed: int = 0
    joined: int | None = None


def chosen(corpus: Corpus, choice: PassageChoice) -> Sequence[int]:
    """Return the ids of the chosen passages in the order of the corpus.

    A text in the pools of several topics is chosen once. A hundred passages contain the fifty of
    the same seed.
    """
    rows = contents.PARTS["passages"].searched(corpus, choice.sought).order_by("pk")
    digests: set[bytes] = set()
    id_by_name: dict[str, int] = {}
    plain = Passage.objects.filter(pk__in=rows.values("pk")).order_by("pk")
    for pk, topic, key, title, text in plain.values_list(
        "pk", "topic__key", "key", "title", "text"
    ).iterator():
        same = hashlib.blake2b(f"{title}\n{text}".encode(), digest_size=16).digest()
        if same not in digests and text.strip():
            digests.add(same)
            id_by_name[f"{topic}:{key}"] = pk
    if choice.joined is not None:
        id_by_name = _starts(list(id_by_name.values()), choice.joined)
    some = id_by_name if choice.drawn is None else draw(list(id_by_name), choice.drawn, choice.seed)
    return sorted(id_by_name[name] for name in some)


def _starts(pks: Sequence[int], tokens: int) -> dict[str, int]:
    """Return the first passage of each group with one of these passages, by its name."""
    topics = Passage.objects.filter(pk__in=pks).order_by().values_list("topic", flat=True)
    wanted = set(pks)
    groups = groups_of(set(topics), tokens)
    starts = [start for start, group in groups.items() if not wanted.isdisjoint(group)]
    rows = Passage.objects.filter(pk__in=starts).order_by("pk")
    return {f"{topic}:{key}": pk for pk, topic, key in rows.values_list("pk", "topic", "key")}


def draw(names: Sequence[str], number: int, seed: int) -> list[str]:
    """Return `number` names, the same on every machine; a hundred begin with the fifty drawn."""
    hashed = {name: hashlib.sha256(f"{seed}:{name}".encode()).hexdigest() for name in names}
    return sorted(names, key=hashed.__getitem__)[:number]
