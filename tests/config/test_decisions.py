"""The decision records in docs/decisions: one page each, with the same parts, all in the index."""

import re

from tests.services.children import ROOT

FOLDER = ROOT / "docs" / "decisions"
PAGES = sorted(FOLDER.glob("[0-9][0-9]-*.md"))
PARTS = ["Context", "Decision", "Consequences", "Measured", "What would change our mind"]
MAX_WORDS = 350


def test_a_decision_is_one_page_with_all_its_parts():
    for page in PAGES:
        text = page.read_text()
        assert re.findall(r"^## (.+)$", text, re.MULTILINE) == PARTS, page.name
        assert len(text.split()) <= MAX_WORDS, page.name


def test_the_index_lists_every_decision_by_number_and_title():
    index = re.findall(
        r"^\| (\d+) \| \[(.+)\]\((.+)\) \|", (FOLDER / "README.md").read_text(), re.M
    )
    titles = [page.read_text().splitlines()[0] for page in PAGES]
    assert [f"# {number}. {title}" for number, title, _ in index] == titles
    assert [name for _, _, name in index] == [page.name for page in PAGES]
    assert [int(number) for number, _, _ in index] == list(range(1, len(PAGES) + 1))
