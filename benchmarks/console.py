"""How long the server computes for a page of the console: `python -m benchmarks.console`.

On the Crowd RAG Corpus 2025 and on a corpus of ten times its size, which has its rows ten times
under other keys: imported, its judging study analysed, and then every page that a researcher
reaches by links from the first one on, a few of each address. Seconds are those that the server
and its connection to the database compute, so that others on the machine do not count. Promised:
150 ms, and 300 ms at ten times the size; at most 300 kB. Without the corpus there is nothing to
measure, and it says so.
"""

import gzip
import re
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import msgspec

from benchmarks.corpus import STUDY
from benchmarks.crowd_votes import corpus_folder, where_from
from benchmarks.installation import installation
from benchmarks.reporting import Row, load_now, report
from tests.services.corpus import VARIABLE

TIMES = 10
KEYS = {
    *("topic", "query_id", "response", "response_a", "response_b", "worker"),
    *("submission", "submission_id"),
}
FEW = 3  # of each address
DRAWS = "20"  # few: tables are as long for many, and ten times the corpus takes its time
PROMISED = {1: 0.15, TIMES: 0.3}  # seconds, by size
MOST_KILOBYTES = 300
LINK = re.compile(r'(?:href|hx-get)="([^"]+)"')


@dataclass(frozen=True)
class Page:
    """What a page cost: the least of its times, and its size as it is sent."""

    address: str
    path: str
    seconds: float
    queries: int
    kilobytes: float


def main() -> None:
    load = load_now()
    folder = corpus_folder()
    if folder is None:
        print(f"console: left out, there is no Crowd RAG Corpus 2025; set {VARIABLE} to its folder")
        return
    sizes = [int(each) for each in sys.argv[1:]] or list(PROMISED)
    rows, notes = [], [where_from()]
    for times in sizes:
        pages = in_an_installation(folder, times)
        rows += rows_of(pages, times)
        slowest = {page.address: page for page in sorted(pages, key=lambda page: page.seconds)}
        slow = sorted(slowest.values(), key=lambda page: -page.seconds)[:8]
        said = ", ".join(f"{page.address} {page.seconds * 1000:.0f} ms" for page in slow)
        notes.append(f"Slowest at {times} x: {said}.")
    report("console", rows, load=load, notes=tuple(notes))


def rows_of(pages: list[Page], times: int) -> list[Row]:
    slowest = max(pages, key=lambda page: page.seconds)
    largest = max(pages, key=lambda page: page.kilobytes)
    n = f"corpus x {times}, {len(pages)} pages of {len({page.address for page in pages})} addresses"
    queries = max(pages, key=lambda page: page.queries)
    return [
        Row(
            what="slowest page of the console",
            n=n,
            ours=slowest.seconds,
            most=PROMISED.get(times),
            remark=f"{slowest.address}; most queries: {queries.queries} ({queries.address})",
        ),
        Row(
            what="largest page, as it is sent",
            n=n,
            ours=largest.kilobytes,
            unit="kB",
            most=MOST_KILOBYTES,
            remark=largest.address,
        ),
    ]


# -- What is measured on -------------------------------------------------------------------------
def in_an_installation(folder: Path, times: int) -> list[Page]:
    """The pages on a corpus of this many times the size, in a child: Django is set up once."""
    from benchmarks.measuring import in_child

    pages, _ = in_child(_measured, folder, times)
    return pages


def _measured(folder: Path, times: int) -> list[Page]:
    with installation() as made, tempfile.TemporaryDirectory() as scratch:
        larger = enlarged(folder, Path(scratch), times)
        made.command("import_crowdrag", str(larger), "--judging-only")
        made.command("analyse", STUDY, "--draws", DRAWS)
        analyse_tables()
        return list(walked())


def analyse_tables() -> None:
    """What autovacuum would have done by the time that somebody looks."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def enlarged(folder: Path, scratch: Path, times: int) -> Path:
    """A folder with every row `times` times; of written texts only the last snapshot."""
    for file in folder.iterdir():
        if file.suffix != ".gz":
            shutil.copy(file, scratch)
            continue
        with gzip.open(file) as lines:
            rows = [msgspec.json.decode(line) for line in lines]
        if file.name == "study1_responses_human.jsonl.gz":
            rows = list({row["response"]: row for row in rows}.values())
        with gzip.open(scratch / file.name, "wb", compresslevel=1) as out:
            for copy in range(times):
                out.writelines(msgspec.json.encode(renamed(row, copy)) + b"\n" for row in rows)
    return scratch


def renamed(row: dict[str, Any], copy: int) -> dict[str, Any]:
    """A row under other keys; the first copy keeps them."""
    return row | {key: _other(row[key], copy) for key in KEYS & set(row)} if copy else row


def _other(key: Any, copy: int) -> Any:
    return [f"{each}-{copy}" for each in key] if isinstance(key, list) else f"{key}-{copy}"


# -- Measuring -----------------------------------------------------------------------------------
def walked() -> Iterator[Page]:
    """Every page that links lead to, a few of each address, as a researcher who owns all."""
    from django.contrib.auth.models import User
    from django.test import Client
    from django.urls import Resolver404, resolve

    client = Client(HTTP_HOST="localhost")
    client.force_login(User.objects.create_superuser("rita"))
    waiting, seen = ["/"], {"/"}
    met: dict[str, int] = defaultdict(int)
    while waiting:
        path = waiting.pop(0)
        try:
            name = resolve(urlsplit(path).path).view_name
        except Resolver404:
            continue
        kind = f"{name}?{'&'.join(sorted(urlsplit(path).query.split('&')))}".split("=")[0]
        if met[kind] >= FEW or is_left_out(name):
            continue
        met[kind] += 1
        page, html = measured(client, path, name)
        if page is None:
            continue
        yield page
        for link in LINK.findall(html):
            there = urljoin(path, link.replace("&amp;", "&")).split("#")[0]
            if there.startswith("/") and there not in seen and not there.startswith("/static/"):
                seen.add(there)
                waiting.append(there)


def is_left_out(name: str) -> bool:
    """Records of the administrator, and what is no page of the console."""
    return name.startswith("admin:") or name in ("logout", "javascript-catalog", "jsi18n")


def measured(client: Any, path: str, name: str) -> tuple[Page | None, str]:
    """A page, and its HTML; None for a redirect, a file, a worker's page."""
    from tests.services.pages import cost_of

    answer = client.get(path)
    if answer.status_code != 200 or not answer["Content-Type"].startswith("text/html"):
        return None, ""
    if answer.streaming:
        return None, ""
    cost = cost_of(lambda: client.get(path))
    page = Page(name, path, cost.seconds, cost.queries, cost.sent / 1000)
    return page, answer.text


if __name__ == "__main__":
    main()
