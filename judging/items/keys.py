"""Unique names of items. Pure: no Django.

The key of an item goes into exports; its unit identifies what a worker meets once. Keys of pairs
and single responses are published and stay as they are: the keys of their responses alone.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence

from judging.items.kinds import Holds, ItemKind

KEY_LENGTH, UNIT_LENGTH = 500, 120  # characters, of the columns
BARE = ("pair", "response")
LETTERS = {Holds.RESPONSE: "", Holds.PASSAGE: "p", Holds.SEGMENT: "s", Holds.CRITERION: "c"}


def item_key(kind: ItemKind, parts: Iterable[Sequence[str]]) -> str:
    """Return the key of an item; `parts` name the contents of its slots, in nominal order.

    A passage is named by topic and key: a document that two topics retrieve is two things.
    """
    named = [name for part in parts for name in part]
    key = "|".join(named)
    if kind.name not in BARE:
        key = f"{kind.name}:{key}"
    if len(key) > KEY_LENGTH or any("|" in name for name in named):
        return f"{kind.name}:{_digest(named)}"
    return key


def unit_of(kind: ItemKind, contents: Sequence[int], *, names: Sequence[str] = ()) -> str:
    """Return what a worker meets once: the same for a pair and its reverse.

    `contents` are ids in nominal order, each of the table that its slot points to; `names` are
    those of the slots if their number does not tell them.
    """
    names = names or kind.names(len(contents))
    by_name = dict(zip(names, contents, strict=True))
    drawn = kind.drawn(names)
    fixed = [
        f"{_letter(kind, name)}{by_name[name]}"
        for name in kind.named_by or names
        if name not in drawn
    ]
    moved = sorted((_letter(kind, name), by_name[name]) for name in drawn)
    parts = fixed + [f"{letter}{pk}" for letter, pk in moved]
    unit = f"{kind.name}:{'|'.join(parts)}"
    return unit if len(unit) <= UNIT_LENGTH else f"{kind.name}:{_digest(parts)}"


def _letter(kind: ItemKind, name: str) -> str:
    slot = kind.slot(name)
    return LETTERS[slot.holds] if slot else ""


def _digest(parts: Sequence[str]) -> str:
    return f"sha256:{hashlib.sha256(json.dumps(parts).encode()).hexdigest()}"
