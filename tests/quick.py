"""The ten-second loop: `make quick ROOM=annotation/fieldwork/work`, or `make quick`.

Run as a program it finds the folders of tests: of one room, or of all files that differ from main.
As a part of tests/conftest.py it chooses the tests there that fit into a few seconds, by the CPU
time that they took last.
"""

import argparse
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.services.children import ROOT

APPS = ("config", "annotation", "writing", "judging", "analysis")
SECONDS = 6.0  # CPU time of the tests, in one process: a second one takes two seconds to start
LONGEST = 1.0  # seconds of a quick test
UNKNOWN, PURE = 0.15, 0.05  # seconds of a test that has not run here, with and without a database
DURATIONS = "crowdwright/durations"  # in pytest's cache
SLOW = ("system", "corpus")  # markers of tests that are never quick


def main() -> int:
    parser = argparse.ArgumentParser(prog="make quick", description=__doc__)
    parser.add_argument("room", nargs="?", help="a folder of the product, or a file in it")
    options = parser.parse_args()
    if options.room and not (ROOT / options.room).exists():
        parser.error(f"there is no {options.room}")
    paths = [options.room] if options.room else changed_files()
    folders = outermost(folder for path in paths if (folder := folder_of_tests(path)))
    if not folders and options.room:
        parser.error(f"there are no tests for {options.room}")
    if not folders:
        parser.error(
            "nothing of a room differs from main; name one: ROOM=annotation/fieldwork/work"
        )
    sys.stdout.write(f"Tests of {' '.join(folders)}\n")
    sys.stdout.flush()
    # Browsers are never quick, and their library takes long to load.
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:playwright", "--storage=sqlite"]
    command += ["-n", "0", f"--within={SECONDS:g}", *folders]
    return subprocess.run(command, cwd=ROOT).returncode


def changed_files() -> list[str]:
    """Return the files that differ from where this branch left main, committed or not."""
    base = _git("merge-base", "HEAD", "main") or ["HEAD"]
    return _git("diff", "--name-only", base[0]) + _git("ls-files", "--others", "--exclude-standard")


def _git(*arguments: str) -> list[str]:
    answer = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return answer.stdout.splitlines()


def folder_of_tests(path: str, root: Path = ROOT) -> str | None:
    """Return the innermost folder of tests that mirrors a folder or file of the product.

    A test file is its own answer. A file beside the rooms of an app has the tests beside them.
    """
    parts = Path(path).parts
    if parts[:1] == ("tests",):
        if Path(path).name.startswith("test_") and (root / path).is_file():
            return path
        parts = parts[1:]
    if parts[:1] == () or parts[0] not in APPS:
        return None
    while not (root / "tests").joinpath(*parts, "__init__.py").exists():
        parts = parts[:-1]
    return str(Path("tests", *parts))


def outermost(paths: Iterable[str]) -> list[str]:
    """Return the paths without those that lie in another one."""
    chosen: list[str] = []
    for path in sorted(set(paths)):
        if not chosen or not Path(path).is_relative_to(chosen[-1]):
            chosen.append(path)
    return chosen


def _guess(item: pytest.Item) -> float:
    asks = item.get_closest_marker("django_db") or "db" in getattr(item, "fixturenames", ())
    return UNKNOWN if asks else PURE


def _module(nodeid: str) -> str:
    return nodeid.partition("::")[0]


class Choice:
    """The plugin that keeps the quickest tests that together take so many seconds.

    Tests that failed last are among them, and their modules come first. All of pytest-xdist's
    workers choose the same. As durations may be unknown, no test starts after the CPU time, which
    two workers share; on a busy machine, after three times the time on the clock.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.left_out = 0  # by choice
        self.too_late = 0
        self.began: tuple[float, float] | None = None  # on the clock, in CPU time

    @pytest.hookimpl(trylast=True)  # after tests/conftest.py has marked them
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        durations = config.cache.get(DURATIONS, {})
        failed = config.cache.get("cache/lastfailed", {})
        quick = [item for item in items if not any(map(item.get_closest_marker, SLOW))]
        expected = {item: durations.get(item.nodeid) or _guess(item) for item in quick}
        quick = [item for item in quick if expected[item] <= LONGEST or item.nodeid in failed]
        quick.sort(key=lambda item: (item.nodeid not in failed, expected[item]))
        chosen: set[pytest.Item] = set()
        modules: set[str] = set()
        seconds = self.seconds
        for item in quick:
            module = _module(item.nodeid)
            cost = expected[item] + (0 if module in modules else durations.get(module, 0))
            if cost <= seconds or item.nodeid in failed:
                seconds -= cost
                chosen.add(item)
                modules.add(module)
        self.left_out = len(items) - len(chosen)
        items[:] = [item for item in items if item in chosen]
        first = {_module(nodeid) for nodeid in failed}
        items.sort(key=lambda item: _module(item.nodeid) not in first)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self) -> bool | None:
        clock, cpu = time.monotonic(), _cpu_seconds()
        self.began = self.began or (clock, cpu)
        own = self.seconds / int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", 1))
        if clock - self.began[0] < 3 * self.seconds and cpu - self.began[1] < own:
            return None
        self.too_late += 1
        return True  # as if it had been run; nothing reports it as passed

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["left_out"] = self.left_out, self.too_late

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.left_out, too_late = getattr(node, "workeroutput", {}).get("left_out", (0, 0))
        self.too_late += too_late

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.left_out:
            terminalreporter.line(
                f"{self.left_out} tests were left out: they start processes, read the corpus, take "
                f"longer than {LONGEST:g} s, or than {self.seconds:g} s together."
            )
        if self.too_late:
            terminalreporter.line(f"{self.too_late} tests were not begun: time was up.")


class Stopwatch:
    """The plugin that measures the CPU time of each test, which no busy machine changes.

    What a module's fixtures take is reported apart, and what those of the session take not at all.
    """

    def __init__(self) -> None:
        self.began = 0.0
        self.in_fixtures = {"module": 0.0, "session": 0.0}

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any]
    ) -> Generator[None, object, object]:
        began = _cpu_seconds()
        try:
            return (yield)
        finally:
            if fixturedef.scope != "function":
                scope = "session" if fixturedef.scope == "session" else "module"
                self.in_fixtures[scope] += _cpu_seconds() - began

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Generator[None, object, object]:
        self.began = _cpu_seconds()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        now = _cpu_seconds()
        shared = self.in_fixtures["module"]
        report.module_seconds = shared
        report.own_seconds = now - self.began - shared - self.in_fixtures["session"]
        self.began, self.in_fixtures = now, {"module": 0.0, "session": 0.0}
        return report


def _cpu_seconds() -> float:
    """Return the CPU time of this process and of the children that it has waited for."""
    return sum(os.times()[:4])


class Durations:
    """The plugin that keeps the time of each test and module, for the next choice."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += getattr(report, "own_seconds", 0.0)
        if shared := getattr(report, "module_seconds", 0.0):
            self.seconds[_module(report.nodeid)] += shared

    def pytest_sessionfinish(self) -> None:
        earlier = self.config.cache.get(DURATIONS, {})
        rounded = {name: round(seconds, 3) for name, seconds in self.seconds.items()}
        self.config.cache.set(DURATIONS, {**earlier, **rounded})


if __name__ == "__main__":
    raise SystemExit(main())
