"""The URL patterns of the site."""

from collections.abc import Iterator
from typing import NamedTuple


class Pattern(NamedTuple):
    route: str
    name: str


def patterns() -> list[Pattern]:
    """Return all URL patterns with the names that `reverse` takes, sorted."""
    from django.urls import get_resolver

    return sorted(set(_below(get_resolver(), "", "")))


def _below(resolver, route: str, namespace: str) -> Iterator[Pattern]:
    from django.urls import URLResolver

    for entry in resolver.url_patterns:
        there = route + str(entry.pattern)
        if isinstance(entry, URLResolver):
            inner = f"{namespace}{entry.namespace}:" if entry.namespace else namespace
            yield from _below(entry, there, inner)
        else:
            yield Pattern(there, f"{namespace}{entry.name}" if entry.name else "")
