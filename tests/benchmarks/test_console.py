"""The benchmark of the console says what was measured in a process that has no Django.

It measures in children, which set Django up with the database of their own installation: what the
process that started them asks of Django fails in that one alone, when everything is measured.
"""

import os
import subprocess
import sys

from tests.services.children import ROOT

REPORTING = """
import sys
from pathlib import Path

from benchmarks import console, reporting
from benchmarks.console import Measured
from benchmarks.console_pages import Page


def measured(folder, times, only):
    pages = [
        Page("studies", "/", 0.01, 0.01, 3, times, 2, 0.03),
        Page("item_page", "/items/1/", 0.02 * times, 0.01, 1, 1, 1, 0.01),
    ]
    return Measured(pages, ["call_list"], 4)


reporting.RESULTS = Path(sys.argv.pop())
console.corpus_folder = Path
console.in_an_installation = measured
console.main()
"""


def test_what_was_measured_in_children_is_reported_without_django(tmp_path):
    results = tmp_path / "RESULTS.md"
    alone = {name: value for name, value in os.environ.items() if not name.startswith("DJANGO")}
    subprocess.run(
        [sys.executable, "-c", REPORTING, "1", "10", str(results)], cwd=ROOT, env=alone, check=True
    )
    rows = [line.split(" | ") for line in results.read_text().splitlines()]
    said = {(row[0], row[1]): row[2:] for row in rows if len(row) == 8}
    growing = said["| pages with more queries", "2 pages at both sizes"]
    assert growing[0] == "1"
    assert growing[-1] == "/ 1 → 10 |"
    unseen = [row for (what, _), row in said.items() if "not measured" in what]
    assert [(row[0], row[-1]) for row in unseen] == [("1", "call_list |")] * 2
    (slow,) = [row for row in rows if row[0] == "| item_page: `/items/1/`" and row[1] == "x 10"]
    assert slow[2:] == ["200", "10", "1", "1", "1.0", "yes |"]
