"""How long a reviewer waits for a moment of a log: `python -m benchmarks.replaying`.

A simulated writer writes for 20 minutes. The review page is opened in a real Chromium and sent to
200 moments, drawn; a time is from the input of the scrubber until text, track, marks and passages
are laid out at the moment. The peer is the same page without keyframes, from the beginning each
time. Then the rebuilding of whole logs in Python, a minute of writing each: the text alone, as at a
submission, and with the origin of every character, as for the page.
"""

import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.reporting import Row, load_now, report

MOMENTS, SEED = 200, 25
SEEKING, REBUILDING = 50, 20  # ms, promised: for a moment; for a minute of writing
PASSWORD = "a password for a benchmark"
SEEK = """
moments => {
  const scrubber = document.querySelector("[data-scrubber]");
  const go = ms => {
    scrubber.value = ms;
    scrubber.dispatchEvent(new Event("input"));
    document.body.getBoundingClientRect();
    return document.querySelector("[data-text]").textContent.length;
  };
  return moments.map(([first, ms]) => {
    if (first !== null) go(first);
    const began = performance.now();
    go(ms);
    return performance.now() - began;
  });
}
"""

PLAYERS = """
async moments => {
  const { createPlayer } = await import("/static/js/replay/player.js");
  const data = await (await fetch(document.querySelector("[data-replay]").dataset.address)).json();
  const timed = seek => {
    for (const ms of moments.slice(0, 20)) seek(ms);
    const began = performance.now();
    for (const ms of moments) seek(ms);
    return (performance.now() - began) / moments.length;
  };
  const [ours, peer] = [createPlayer(data), createPlayer({ ...data, keyframes: [] })];
  const least = seek => Math.min(timed(seek), timed(seek), timed(seek));
  return [least(ms => ours.seek(ms)), least(ms => (peer.seek(-1), peer.seek(ms)))];
}
"""


def prepare() -> tuple[str, Any, list[str]]:
    """Create 20 minutes of writing to review; return its path, events and passages."""
    from django.conf import settings
    from django.utils import timezone

    from config import demonstrating
    from writing.log.collecting import events_of
    from writing.studies.simulating import SimulatedWriter, simulate

    rita = demonstrating.researcher(PASSWORD)
    corpus = demonstrating.corpus(settings.BASE_DIR / "annotation" / "demo")
    study = demonstrating.writing_study(corpus=corpus, owner=rita, now=timezone.now())
    writer = SimulatedWriter("benchmark", gap=190)
    work = simulate(study=study, writer=writer, arrived=timezone.now(), words=490)
    passages = [passage.text for passage in work.task.writing_task.passages]
    return f"{study.get_absolute_url()}review/{work.pk}/", events_of(work), passages


def seeks(address: str, duration: int) -> list[list[float]]:
    """Return the milliseconds of each seek.

    From one moment to the next, from the beginning, from there without keyframes; last the mean
    of both players alone.
    """
    from playwright.sync_api import Route, sync_playwright

    from tests.services import chromium

    rng = random.Random(SEED)
    moments = [rng.randrange(duration) for _ in range(MOMENTS)]

    def without_keyframes(route: Route) -> None:
        data = route.fetch().json() | {"keyframes": []}
        route.fulfill(json=data)

    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        found = chromium.find_chromium(
            Path(playwright.chromium.executable_path), lock=Path(folder) / "lock"
        )
        browser = playwright.chromium.launch(executable_path=str(found), args=chromium.flags())
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(address)
        page.get_by_label("User name").fill("rita")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Log in").click()
        jumps, ours, peer = list[float](), list[float](), list[float]()
        for _ in range(2):  # in turn, so that neither has the colder browser
            opened(page, moments)
            jumps += page.evaluate(SEEK, [[None, ms] for ms in moments])
            ours += page.evaluate(SEEK, [[0, ms] for ms in moments])
            alone = page.evaluate(PLAYERS, moments)
            page.route("**/playback/", without_keyframes)
            opened(page, moments)
            peer += page.evaluate(SEEK, [[0, ms] for ms in moments])
            page.unroute("**/playback/")
        browser.close()
    return [jumps, ours, peer, alone]


def opened(page: Any, moments: list[int]) -> None:
    """Reload the page and warm up its code."""
    page.reload(wait_until="networkidle")
    page.wait_for_selector("[data-replay][data-ready]")
    for _ in range(2):
        page.evaluate(SEEK, [[None, ms] for ms in moments])


def best(run: Callable[[], object], times: int = 3) -> float:
    """Return the least of several runs, in ms."""
    took = []
    for _ in range(times):
        began = time.perf_counter()
        run()
        took.append(time.perf_counter() - began)
    return min(took) * 1000


def rebuilding(what: str, events: Any, passages: list[str]) -> list[Row]:
    from writing.process.replay import Replay, rebuilt

    minutes = events[-1].ms / 60_000
    n = f"{len(events):,} events in {minutes:.0f} min"
    runs: list[tuple[str, Callable[[], object]]] = [
        ("the text", lambda: rebuilt(events)),
        ("the text and its origins", lambda: Replay(events, passages)),
    ]
    return [
        Row(
            what=f"rebuilding {name} of {what}, a minute of writing",
            n=n,
            ours=best(run) / minutes,
            unit="ms",
            most=REBUILDING,
        )
        for name, run in runs
    ]


def rows_of(
    jumps: list[float], ours: list[float], peer: list[float], alone: list[float], *, n: str
) -> list[Row]:
    def p95(values: list[float]) -> float:
        return statistics.quantiles(values, n=20)[-1]

    middle = statistics.median
    rows = [
        ("seeking on the page, median", middle(jumps), None, SEEKING),
        ("seeking on the page, 95 in 100", p95(jumps), None, SEEKING),
        ("the same from the beginning, median", middle(ours), middle(peer), None),
        ("seeking by the player alone, mean", *alone, None),
    ]
    return [
        Row(
            what=what,
            n=n,
            ours=mine,
            unit="ms",
            peer=theirs,
            peer_name="" if theirs is None else "without keyframes",
            most=most,
        )
        for what, mine, theirs, most in rows
    ]


def main() -> None:
    busy = load_now()
    from tests.services.postgres import Postgres
    from tests.writing.log.simulated_log import written

    with tempfile.TemporaryDirectory(prefix="crowdwright-bench-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o711)  # PostgreSQL's own user passes through
        postgres = Postgres(folder / "postgres", durable=False)
        web = None
        try:
            os.environ |= {
                "DATABASE_URL": postgres.url("postgres"),
                "CROWDWRIGHT_VAR": str(folder / "var"),
                "DJANGO_SETTINGS_MODULE": "config.settings",
                "LOG_LEVEL": "WARNING",
            }
            import django

            django.setup()
            from django.core.management import call_command

            from tests.services.web import WebProcess

            call_command("migrate", verbosity=0)
            path, events, passages = prepare()
            web = WebProcess(
                database=postgres.url("postgres"), broker="filesystem://", log=folder / "web.log"
            )
            took = seeks(web.url + path, events[-1].ms)
        finally:
            if web is not None:
                web.stop()
            postgres.stop()
    n = f"{MOMENTS} moments, {len(events):,} events in {events[-1].ms / 60_000:.0f} min"
    rows = rows_of(*took, n=n) + rebuilding("a usual log", events, passages)
    rows += rebuilding("a long log", written(words=5_000).events, passages)
    note = "On the page most of the time goes into laying out the text, with keyframes and without."
    report("replaying", rows, load=busy, notes=(note,))


if __name__ == "__main__":
    main()
