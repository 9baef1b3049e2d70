"""All addresses of the site, and what the tables of access.py grant at them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from django.urls import URLPattern, URLResolver, get_resolver, resolve

from tests.config.access import RIGHTS


@dataclass(frozen=True)
class Row:
    """A method at an address; `cells`: column -> what is answered."""

    method: str
    name: str
    cells: dict[str, str]


def rows_of(table: str) -> list[Row]:
    head, *lines = (line.split() for line in table.strip().splitlines())
    return [Row(m, name, dict(zip(head, cells, strict=True))) for m, name, *cells in lines]


def granted(row: Row, *, who: str, kind: str) -> str:
    """Return the expected answer of a row of CONSOLE for a role or `administrator` etc.

    `kind` is that of the study, or `unknown`.
    """
    of_study = row.cells["may"] not in ("nothing", "administer")
    said = row.cells.get(kind, "404" if of_study else row.cells["judging"])
    if who == "anonymous":
        return "401" if row.name in programs() | {"may_send"} else "→login"  # asked by the proxy
    if who == "administrator" or row.cells["may"] == "nothing" or said == "404":
        return said
    if who == "stranger" or row.cells["may"] == "administer":
        return "404"
    return said if rights_of(who)[row.cells["may"]] == "yes" else "403"


def programs() -> set[str]:
    """Return the addresses that programs ask."""
    return {name for path, name in addresses() if path.startswith("api/")}


def rights_of(role: str) -> dict[str, str]:
    """Act -> yes or no."""
    head, *lines = (line.split() for line in RIGHTS.strip().splitlines())
    (cells,) = [cells for name, *cells in lines if name == role]
    return dict(zip(head, cells, strict=True))


def answer(response: object) -> str:
    """Return a response as a cell says it."""
    place = getattr(response, "url", "")
    if not place:
        return str(response.status_code)  # type: ignore[attr-defined]
    return f"→{resolve(place.partition('?')[0]).view_name}"


@cache  # the tables ask hundreds of times in one test
def addresses() -> tuple[tuple[str, str], ...]:
    """Path and name of every address of the site, from the URL configuration."""
    return tuple(_addresses_of(get_resolver()))


def _addresses_of(
    resolver: URLResolver, prefix: str = "", namespace: str = ""
) -> Iterator[tuple[str, str]]:
    for pattern in resolver.url_patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield path, f"{namespace}{pattern.name}"
        else:
            inside = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from _addresses_of(pattern, path, inside)
