"""Item kinds: which slots an item has, which may change places, which are judged one by one.

The template of a kind is templates/judging/items/<kind>.html. A new kind is a line here and a
template there.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class ItemKind:
    """`slots` in nominal order; `places` are those shown in a drawn order; `judged` are those that
    a question of arity slot asks about, one by one."""

    name: str
    slots: tuple[str, ...]
    places: tuple[str, ...] = ()
    judged: tuple[str, ...] = ()

    @property
    def template(self) -> str:
        return f"judging/items/{self.name}.html"


KINDS = {
    kind.name: kind
    for kind in (
        ItemKind("pair", ("a", "b"), places=("a", "b"), judged=("a", "b")),
        ItemKind("response", ("response",), judged=("response",)),
    )
}


def item_kind(name: str) -> ItemKind:
    """The kind of this name. Raises LookupError with the known names."""
    if name not in KINDS:
        raise LookupError(f"There is no item kind {name!r}; known are {', '.join(sorted(KINDS))}.")
    return KINDS[name]
