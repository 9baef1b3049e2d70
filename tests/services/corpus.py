"""The Crowd RAG Corpus 2025, which is not part of this repository."""

import os
from pathlib import Path

import pytest

from tests.services.children import ROOT

VARIABLE = "CROWDRAG25_DIR"


def folder() -> Path:
    """Return the folder of the corpus; skip the test, and say so, where there is none."""
    path = Path(os.environ.get(VARIABLE) or ROOT.parent / "shared" / "crowdrag25")
    if not (path / "ratings.jsonl.gz").exists():
        pytest.skip(
            f"{VARIABLE}: no corpus in {path}: set it to the folder of the Crowd RAG Corpus 2025"
        )
    return path


def report(terminal: pytest.TerminalReporter) -> None:
    """Say at the end how many tests had no corpus to read."""
    skipped = [
        report
        for report in terminal.stats.get("skipped", [])
        if isinstance(report.longrepr, tuple) and VARIABLE in report.longrepr[2]
    ]
    if skipped:
        reason = skipped[0].longrepr[2].removeprefix("Skipped: ")
        terminal.write_line(f"{len(skipped)} corpus tests were not run. {reason}", yellow=True)
