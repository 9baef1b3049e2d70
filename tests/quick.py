"""The ten-second loop: `make quick ROOM=annotation/fieldwork/work`, or `make quick`.

Run as a program it finds the folders of tests: of one room, or of all files that differ from main.
As a part of tests/conftest.py it chooses the tests there that fit into a few seconds, by the time
that they took last.
"""

import argparse
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.services.children import ROOT

APPS = ("config", "annotation", "writing", "judging", "analysis")
SECONDS = 16.0  # of tests, in two processes: about eight, after two in which they start
UNKNOWN, PURE = 0.15, 0.05  # seconds of a test that has not run here, with and without a database
DURATIONS = "crowdwright/durations"  # in pytest's cache
SLOW = ("system", "corpus")  # markers of tests that are never quick


def main() -> int:
    parser = argparse.ArgumentParser(prog="make quick", description=__doc__)
    parser.add_argument("room", nargs="?", help="a folder of the product, or a file in it")
    parser.add_argument("--jobs", default="2")
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
    command = [sys.executable, "-m", "pytest", "-q", "-n", options.jobs, "--storage=sqlite"]
    return subprocess.run([*command, f"--within={SECONDS:g}", *folders], cwd=ROOT).returncode


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


class Choice:
    """The plugin that keeps the quickest tests that together take so many seconds.

    Tests that failed last come first. All of pytest-xdist's workers choose the same.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.left_out = 0

    @pytest.hookimpl(trylast=True)  # after tests/conftest.py has marked them
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        durations = config.cache.get(DURATIONS, {})
        failed = config.cache.get("cache/lastfailed", {})
        quick = [item for item in items if not any(map(item.get_closest_marker, SLOW))]
        expected = {item: durations.get(item.nodeid) or _guess(item) for item in quick}
        quick.sort(key=lambda item: (item.nodeid not in failed, expected[item]))
        chosen, seconds = set(), self.seconds
        for item in quick:
            seconds -= expected[item]
            if seconds >= 0:
                chosen.add(item)
        self.left_out = len(items) - len(chosen)
        items[:] = [item for item in items if item in chosen]

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["left_out"] = self.left_out

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.left_out = getattr(node, "workeroutput", {}).get("left_out", 0)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.left_out:
            terminalreporter.line(
                f"{self.left_out} tests were left out: they start processes, read the corpus, or "
                f"take longer than {self.seconds:g} s together."
            )


class Durations:
    """The plugin that keeps how long each test took, for the next choice."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration

    def pytest_sessionfinish(self) -> None:
        earlier = self.config.cache.get(DURATIONS, {})
        rounded = {name: round(seconds, 3) for name, seconds in self.seconds.items()}
        self.config.cache.set(DURATIONS, {**earlier, **rounded})


if __name__ == "__main__":
    raise SystemExit(main())
