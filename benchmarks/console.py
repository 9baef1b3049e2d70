"""How long the server computes for a page of the console: `python -m benchmarks.console [1] [10]`.

With names of addresses (`10 draft_check instruments`) these alone, printed and not written down.

On the Crowd RAG Corpus 2025 as it is imported, and with its rows ten times under other keys
(enlarging): its judging study analysed, and then every address that a researcher reads
(console_pages). Seconds are those that the server and its connection to the database compute,
so that others on the machine do not count: when nobody has looked at a page yet, and again. Both
are of a process that has loaded what it loads, and each is the middle one of three: the least
would leave out what the page makes the server look through for garbage, the first one would count
what another page left. Before each look at a page of which nobody has looked, all that is kept of
pages is forgotten, but for what a worker had prepared. What workers do meanwhile is done as they
do it, and counted apart: they prepare the results when an analysis is finished, and simulate what
Plan asks for. Promised: 150 ms, and 300 ms at ten times the size; at most 300 kB; as many queries
at ten times the size. Without the corpus there is nothing to measure, and it says so.
"""

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.console_pages import LEFT_OUT, Page, pages_of, wanted
from benchmarks.corpus import STUDY
from benchmarks.crowd_votes import corpus_folder, where_from
from benchmarks.enlarging import enlarge
from benchmarks.installation import installation
from benchmarks.reporting import Row, load_now, report
from tests.services.corpus import VARIABLE

TIMES = 10
DRAWS = 20  # few: tables are as long for many, and ten times the corpus takes its time
PROMISED = {1: 0.15, TIMES: 0.3}  # seconds, by size
MOST_KILOBYTES = 300
HEADS = ("address", "size", "ms, first", "ms, again", "queries, first", "again", "kB", "holds")


@dataclass(frozen=True)
class Measured:
    """Measurements at one size: pages, unlinked addresses, and CPU seconds of the analysis."""

    pages: Sequence[Page]
    unseen: Sequence[str]
    analysed: float


def main() -> None:
    load = load_now()
    folder = corpus_folder()
    if folder is None:
        print(f"console: left out, there is no Crowd RAG Corpus 2025; set {VARIABLE} to its folder")
        return
    sizes = [int(each) for each in sys.argv[1:] if each.isdecimal()] or list(PROMISED)
    only = [each for each in sys.argv[1:] if not each.isdecimal()]
    found: dict[int, Measured] = {}
    rows, notes = [], [where_from()]
    for times in sizes:
        found[times] = measured = in_an_installation(folder, times, only)
        rows += rows_of(measured, times)
        notes.append(
            f"At {times} x: analysed with {DRAWS} draws{' without the mixed model' * (times > 1)} "
            f"in {measured.analysed:.0f} s of the processor."
        )
    if only:
        print(table_of(found))
        return
    rows += growing(found)
    report("console", rows, load=load, notes=(*notes, table_of(found)))


def rows_of(measured: Measured, times: int) -> list[Row]:
    pages = measured.pages
    slowest = max(pages, key=lambda page: page.again)
    first = max(pages, key=lambda page: page.first)
    unprepared = max(pages, key=lambda page: page.unprepared)
    largest = max(pages, key=lambda page: page.kilobytes)
    addresses = {page.address for page in pages}
    n = f"corpus x {times}, {len(pages)} pages of {len(addresses)} addresses"
    return [
        Row(
            what="slowest page of the console, when nobody has looked at it yet",
            n=n,
            ours=first.first,
            most=PROMISED.get(times),
            remark=f"{first.path}, {first.first_queries} queries",
        ),
        Row(
            what="slowest page of the console",
            n=n,
            ours=slowest.again,
            most=PROMISED.get(times),
            remark=f"{slowest.path}, {slowest.queries} queries",
        ),
        Row(
            what="the same in the moment before a worker has prepared the results",
            n=n,
            ours=unprepared.unprepared,
            remark=unprepared.path,
        ),
        Row(
            what="simulating how sure the result of a draft will be, by a worker",
            n=f"corpus x {times}",
            ours=max(page.simulated for page in pages),
        ),
        Row(
            what="largest page, as it is sent",
            n=n,
            ours=largest.kilobytes,
            unit="kB",
            most=MOST_KILOBYTES,
            remark=largest.path,
        ),
        Row(
            what="addresses of pages that were not measured",
            n=f"corpus x {times}, {len(LEFT_OUT)} left out: files, and what leads elsewhere",
            ours=len(measured.unseen),
            unit="",
            most=0,
            remark=", ".join(measured.unseen),
        ),
    ]


def growing(found: dict[int, Measured]) -> list[Row]:
    """Whether pages that are there at every size take more queries at a larger one."""
    if len(found) < 2:
        return []
    small, large = (found[times].pages for times in (min(found), max(found)))
    few = {page.path: page.queries for page in small}
    more = [page for page in large if page.queries > few.get(page.path, page.queries)]
    paths = ", ".join(f"{page.path} {few[page.path]} → {page.queries}" for page in more)
    n = f"{len(few.keys() & {page.path for page in large})} pages at both sizes"
    return [Row(what="pages with more queries", n=n, ours=len(more), unit="", most=0, remark=paths)]


def table_of(found: dict[int, Measured]) -> str:
    """Return the slowest page of each address at each size, slowest first."""
    lines = [HEADS, tuple("---" for _ in HEADS)]
    for times, measured in found.items():
        slowest = {p.address: p for p in sorted(measured.pages, key=lambda page: page.seconds)}
        lines += [
            line_of(p, times) for p in sorted(slowest.values(), key=lambda page: -page.seconds)
        ]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def line_of(page: Page, times: int) -> tuple[str, ...]:
    promised = PROMISED.get(times)
    holds = promised is None or (page.seconds <= promised and page.kilobytes <= MOST_KILOBYTES)
    return (
        f"{page.address}: `{page.path}`",
        f"x {times}",
        f"{page.first * 1000:.0f}",
        f"{page.again * 1000:.0f}",
        str(page.first_queries),
        str(page.queries),
        f"{page.kilobytes:.1f}",
        "yes" if holds else "**no**",
    )


# -- What is measured on -------------------------------------------------------------------------
def in_an_installation(folder: Path, times: int, only: Sequence[str] = ()) -> Measured:
    """Measure the pages of an enlarged study in a child process, where Django is set up."""
    from benchmarks.measuring import in_child

    measured: Measured
    measured, _ = in_child(_measured, folder, times, only)
    return measured


def _measured(folder: Path, times: int, only: Sequence[str]) -> Measured:
    with installation() as made:
        made.command("import_crowdrag", str(folder), "--judging-only")
        enlarge(times)
        from annotation.models import Study

        study = Study.objects.get(slug=STUDY)
        began = time.process_time()
        analyse(study, times)
        seconds = time.process_time() - began
        as_a_server()
        pages = []
        for page in pages_of(study, only=only):
            print("  ".join(line_of(page, times)), flush=True)
            pages.append(page)
        unseen = sorted(wanted() - {page.address for page in pages})
        return Measured(pages, unseen, seconds)


def as_a_server() -> None:
    """Load what a web server loads before its first request."""
    from config import wsgi

    assert wsgi.application


def analyse(study: Any, times: int) -> None:
    """All analyses, in this process; of a larger study without the mixed model.

    Its time grows with the cube of the responses, which workers tie together.
    """
    from collections import deque

    from analysis.runs import running

    study.analysis |= {"draws": DRAWS}
    study.save(update_fields=["analysis"])
    queue: deque[int] = deque()
    run = running.start(study=study, enqueue=queue.append)
    if times > 1:
        run.steps.filter(analysis="mixed").delete()
    while queue:
        running.perform(pk=queue.popleft(), enqueue=queue.append)


if __name__ == "__main__":
    main()
