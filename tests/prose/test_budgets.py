"""Pages of the demo keep within their budgets of words (budgets.py)."""

import json
import os
import subprocess
import sys

import pytest

from tests.prose.budgets import BUDGETS, Budget, words_of
from tests.services.children import ROOT

SECONDS = 900  # for the demo on a busy machine


def too_long(words: dict[str, int]) -> list[str]:
    """Return a sentence for each page that has more words than its budget."""
    return [
        f"{budget.page}: {words[budget.page]} words, {budget.most} are allowed"
        for budget in BUDGETS
        if words[budget.page] > budget.most
    ]


@pytest.mark.system
def test_pages_of_the_demo_keep_within_their_budgets(tmp_path):
    environment = {
        **{name: value for name, value in os.environ.items() if not name.endswith("_URL")},
        "CROWDWRIGHT_VAR": str(tmp_path),
    }
    demo = [sys.executable, "manage.py", "demo", "--no-serve"]
    subprocess.run(
        demo, cwd=ROOT, env=environment, check=True, timeout=SECONDS, stdout=subprocess.DEVNULL
    )
    environment["CROWDWRIGHT_VAR"] = str(tmp_path / "demo")
    measured = subprocess.run(
        [sys.executable, "-m", "tests.prose.pages"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert measured.returncode == 0, measured.stderr
    words = json.loads(measured.stdout)
    assert set(words) == {budget.page for budget in BUDGETS}
    assert all(words.values()), words
    assert not too_long(words), words


def test_a_page_over_its_budget_is_named():
    words = dict.fromkeys((budget.page for budget in BUDGETS), 1)
    assert too_long(words | {"Overview": 180}) == []
    assert "Overview: 181 words, 180" in too_long(words | {"Overview": 181})[0]


PAGE = """<nav>Never</nav><main data-x><h1>Two words</h1><br>
<p hidden>no</p>
<p class="unseen">no</p><select><option>no</select><svg><text>no</text></svg> · 71%
<details><summary>Fold</summary>
<p>inside it</p></details><details open><p>seen</p></details><td data-row>row</td>
<aside data-panel>panel</aside></main>"""


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, 9),
        ({"opens_folds": False}, 7),
        ({"without": ("data-row", "data-panel")}, 7),
        ({"within": "data-panel"}, 1),
    ],
)
def test_words_are_those_that_somebody_sees(options, words):
    assert words_of(PAGE, Budget("Page", "/", 10, **options)) == words
