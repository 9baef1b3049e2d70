"""Reference pages of the documentation site that are made from code."""

import pytest

from docs.site import generated, rest_api, statistics

DOCSTRING = """Weights: one for each vote.

Sums are of votes, by `item`.

    w = 1 / (n - 1)

votes: one row a vote,
    without those of *models*.
n: how many_votes.

Raises
------
ValueError
    Nothing to weigh.
"""
MARKDOWN = r"""Weights: one for each vote.

Sums are of votes, by `item`.

    w = 1 / (n - 1)

- **votes**: one row a vote,
  without those of \*models\*.
- **n**: how many\_votes.

**Raises**

ValueError
  Nothing to weigh."""


def test_a_docstring_is_markdown():
    assert statistics.docstring(DOCSTRING) == MARKDOWN


def test_a_package_lists_public_names_with_their_signatures():
    text = statistics.statistics("analysis.stats.agreement")
    assert "## Alpha" in text
    assert "### krippendorff_alpha" in text
    assert "krippendorff_alpha(\n    votes: Votes," in text
    assert "### _" not in text


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "string", "format": "date"}, "string (date)"),
        ({"type": "array", "items": {"type": "integer"}}, "list of integer"),
        ({"oneOf": [{"enum": ["a", "b"]}, {"type": "null"}]}, "`a`, `b` or null"),
        ({"$ref": "#/components/schemas/Corpus"}, "[Corpus](#corpus)"),
        ({"type": ["string", "null"]}, "string or null"),
        ({}, "any"),
    ],
)
def test_a_type_of_the_schema_is_words(schema, words):
    assert rest_api.type_of(schema) == words


def test_the_rest_api_has_every_request_and_object():
    text = rest_api.rest_api()
    assert "### GET /api/studies/\n" in text
    assert "### POST /api/drafts/{pk}/launch/\n" in text
    assert "\n### Refusal\n" in text
    assert "| 401 |" in text


@pytest.mark.parametrize(
    ("docname", "path", "link", "result"),
    [
        ("serve-it", "docs/serve-it.md", "[x](tutorial.md#a)", "[x](tutorial.md#a)"),
        (
            "decisions/README",
            "docs/decisions/README.md",
            "[`RESULTS.md`](../../benchmarks/RESULTS.md)",
            "[`RESULTS.md`](../developer/measured.md)",
        ),
        (
            "developer/architecture",
            "ARCHITECTURE.md",
            "[d](docs/decisions/README.md)",
            "[d](../decisions/README.md)",
        ),
        ("serve-it", "docs/serve-it.md", "[LICENSE](../LICENSE)", "`LICENSE`"),
        ("serve-it", "docs/serve-it.md", "[terms](../LICENSE)", "terms (`LICENSE`)"),
        ("serve-it", "docs/serve-it.md", "[x](nowhere.md)", "[x](nowhere.md)"),
        ("serve-it", "docs/serve-it.md", "![x](images/a.png)", "![x](images/a.png)"),
        ("serve-it", "docs/serve-it.md", "[x](https://a.example/)", "[x](https://a.example/)"),
    ],
)
def test_links_lead_to_pages_of_the_site(docname, path, link, result):
    assert generated.with_links(link, path=path, docname=docname) == result
