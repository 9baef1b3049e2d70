"""Every page that a GET reaches: of the console, of workers, of somebody who is not signed in."""

import hashlib
import io
import itertools
import os
import re
import zipfile
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urljoin, urlsplit

from benchmarks.unchanged import world
from benchmarks.unchanged.addresses import patterns
from benchmarks.unchanged.markup import normalised

LINK = re.compile(r'\b(href|src|action|hx-get|data-src|data-address)="([^"]+)"')
THINGS = ("pk", "pseudonym", "key", "token", "uidb64", "object_id", "position")
FEW = 3  # pages that differ only in the thing that they show
MANY = 30  # of a draft: each one shows another method
LEFT_OUT = ("/static/", "/logout/", "/login/", "/admin/jsi18n/", "/admin/r/")
WORKER = "w/<str:token>/"
TRIED = {"position": ["1", "2", "3"], "section": ["topics"], "screen": ["page", "finish"]}


class Address(NamedTuple):
    path: str
    by_htmx: bool = False


class Walk:
    """Pages are read in a transaction that is undone, so that no page changes another one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self.failures: list[str] = []
        self.statuses: dict[str, set[int]] = defaultdict(set)
        self.written: set[Path] = set()

    def read(self, client: Any, address: Address, *, who: str) -> str:
        """Write a page into the folder and return its text, to look for links."""
        from django.db import transaction

        headers = {"HTTP_HX_REQUEST": "true"} if address.by_htmx else {}
        texts = []
        with transaction.atomic():
            try:
                texts.append(self._answer(client, address, headers, who))
                if _do_work():
                    texts.append(self._answer(client, address, headers, who))
            except Exception as error:  # noqa: BLE001 - every page is tried, then all are told
                self.failures.append(f"{who} {address.path}: {type(error).__name__}: {error}")
            transaction.set_rollback(True)
        distinct = list(dict.fromkeys(texts))
        if distinct:
            file = self.folder / who / _file_name(address)
            file.parent.mkdir(parents=True, exist_ok=True)
            if file in self.written:
                raise SystemExit(f"Two pages have the name {file}.")
            self.written.add(file)
            file.write_text("\n== after a worker has come by ==\n".join(distinct))
        return "\n".join(distinct)

    def _answer(self, client: Any, address: Address, headers: dict[str, str], who: str) -> str:
        world.seed(address.path)
        answer = client.get(address.path, **headers)
        name = answer.resolver_match.view_name if answer.resolver_match else "none"
        self.statuses[name].add(answer.status_code)
        if answer.status_code >= 500:
            self.failures.append(f"{who} {address.path}: {answer.status_code}")
        kind = answer.get("Content-Type", "")
        content = b"".join(answer) if answer.streaming else answer.content
        told = [f"GET {address.path}{' by htmx' if address.by_htmx else ''}", name]
        told += [f"{answer.status_code} {kind}"]
        told += [f"{key}: {answer[key]}" for key in HEADERS if key in answer]
        return "\n".join(told) + "\n\n" + masked(_body(content, kind))


HEADERS = ("Location", "Content-Disposition", "HX-Redirect", "HX-Trigger", "HX-Push-Url")


def _body(content: bytes, kind: str) -> str:
    if kind.startswith("text/html"):
        return normalised(content.decode())
    if content[:4] == b"PK\x03\x04":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return "".join(f"{_digest(archive.read(n))} {n}\n" for n in archive.namelist())
    try:
        return content.decode()
    except UnicodeDecodeError:
        return f"{_digest(content)} of {len(content)} bytes\n"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def masked(text: str) -> str:
    """Return a text without the folder of the copied world."""
    return text.replace(os.environ["CROWDWRIGHT_VAR"], "VAR")


def _do_work() -> bool:
    """Do what the request left to a worker; tell if there was anything."""
    from django.db import connection

    waiting, connection.run_on_commit = connection.run_on_commit, []
    for _, function, robust in waiting:
        try:
            function()
        except Exception:
            if not robust:
                raise
    return bool(waiting)


def _file_name(address: Address) -> str:
    words = re.sub(r"[^\w.=-]+", "_", address.path.strip("/")) or "first"
    digest = hashlib.sha256(address.path.encode()).hexdigest()[:8]
    return f"{words[:120]}{'.htmx' if address.by_htmx else ''}.{digest}.txt"


def take(folder: Path) -> None:
    """Read all pages. Raises SystemExit if one of them fails."""
    from django.test import Client

    walk = Walk(folder)
    rita = world.signed_in()
    seen = walked(walk, rita, ["/", "/admin/"])
    more = list(unlinked(seen))
    walked(walk, rita, more, seen=seen)
    stranger = Client(HTTP_HOST="localhost")
    links = {path for path, _ in seen if path.startswith("/s/")}
    for path in sorted({f"/{p.route}" for p in patterns() if "<" not in p.route} | links):
        if path.startswith("/admin/") or path == "/ready":  # it needs a server's clock
            continue
        walk.read(stranger, Address(path), who="stranger")
        stranger.cookies.clear()
    for path in _worker_addresses():
        walk.read(stranger, Address(path), who="worker")
        stranger.cookies.clear()
    _tell_statuses(walk)
    if walk.failures:
        raise SystemExit("Pages failed:\n" + "\n".join(walk.failures))


def walked(
    walk: Walk, client: Any, starts: Iterable[str], *, seen: set[Address] | None = None
) -> set[Address]:
    """Read the pages that links lead to; return all addresses that were met."""
    from django.urls import Resolver404, resolve

    waiting = deque(Address(path) for path in starts)
    seen = set() if seen is None else seen
    seen |= set(waiting)
    met: dict[Any, int] = defaultdict(int)
    while waiting:
        address = waiting.popleft()
        parts = urlsplit(address.path)
        try:
            match = resolve(parts.path)
        except Resolver404:
            match = None
        if match is None or parts.path.startswith((*LEFT_OUT, "/w/", "/s/")):
            continue
        places = sorted((k, str(v)) for k, v in match.kwargs.items() if k not in THINGS)
        keys = sorted(key for key, _ in parse_qsl(parts.query))
        kind = (match.view_name, *places, *keys)
        if met[kind] >= _most(match.view_name, keys):
            continue
        met[kind] += 1
        text = walk.read(client, address, who="console")
        if " text/html" not in text[:2000]:
            continue
        for by, link in LINK.findall(text):
            there = urljoin(address.path, unescape(link)).split("#")[0]
            there = there.removeprefix("http://localhost:8000")
            found = Address(there, by == "hx-get")
            if there.startswith("/") and found not in seen:
                seen.add(found)
                waiting.append(found)
    return seen


def _most(name: str, keys: list[str]) -> int:
    """Return how many pages are read that differ only in the thing that they show."""
    if keys:
        return 0 if name.startswith("admin:") else 1
    return MANY if name.startswith("draft") else FEW


def unlinked(seen: set[Address]) -> Iterator[str]:
    """Addresses of patterns that no link leads to, with the places of those that links do."""
    from django.urls import Resolver404, resolve

    reached, values = set(), defaultdict(set)
    for address in seen:
        try:
            match = resolve(urlsplit(address.path).path)
        except Resolver404:
            continue
        reached.add(match.route)
        for key, value in match.kwargs.items():
            head = match.route.split("/")[0]
            values[head, key].add(str(value))
            values["", key].add(str(value))
    for pattern in patterns():
        if pattern.route in reached or pattern.route.startswith((WORKER, "s/", "admin/")):
            continue
        head = pattern.route.removeprefix("api/").split("/")[0]
        keys = re.findall(r"<(?:\w+:)?(\w+)>", pattern.route)
        offered = [
            sorted(values[head, key] or values["", key], key=lambda v: (len(v), v))[:4]
            or TRIED.get(key, ["1"])
            for key in keys
        ]
        for chosen in itertools.product(*offered):
            places = iter(chosen)
            yield "/" + re.sub(r"<[^>]+>", lambda _: next(places), pattern.route)  # noqa: B023


def _worker_addresses() -> Iterator[str]:
    """Every page of the first and the last work of each study and state."""
    from django.apps import apps

    first, last = {}, {}
    for work in apps.get_model("annotation", "Assignment").objects.order_by("pk"):
        kind = (work.study_id, work.state)
        first.setdefault(kind, work.token)
        last[kind] = work.token
    for token in dict.fromkeys([*first.values(), *last.values()]):
        for pattern in patterns():
            if not pattern.route.startswith(WORKER):
                continue
            route = pattern.route.replace(WORKER, f"/w/{token}/")
            for position in TRIED["position"] if "<" in route else [""]:
                yield re.sub(r"<[^>]+>", position, route)


def _tell_statuses(walk: Walk) -> None:
    """Write down what each address was answered with, and which were never shown."""
    lines = []
    for name in sorted({p.name for p in patterns()} | set(walk.statuses), key=str):
        statuses = " ".join(map(str, sorted(walk.statuses.get(name, set())))) or "not asked"
        lines.append(f"{name} {statuses}\n")
    (walk.folder / "statuses.txt").write_text("".join(lines))
