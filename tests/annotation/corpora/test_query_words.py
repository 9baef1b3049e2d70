"""Queries in lists and titles: as a study shows texts, never as their source."""

import re
from pathlib import Path

import pytest
from django.template import Context, Template

from annotation.models import Study

TEMPLATES = Path(__file__).parents[3] / "templates"
# Queries of addresses, and a field to edit, are no texts of a corpus.
OTHERS = re.compile(r"name=\"query\"|asked\.query|sort_query|tab_query|\?\{\{")
RAW = re.compile(r"\{\{ ?[\w.]*\bquery\b[^}]*\}\}")


def words(query, **context):
    template = Template("{% load markdown %}{% query_words query 40 %}")
    return template.render(Context({"query": query, **context}))


@pytest.mark.parametrize(
    ("query", "shown"),
    [("**Why** is *it*?", "Why is it?"), ("Why?\n\n- a\n- b", "Why?"), ("a < b", "a &lt; b"),
     ("Is $x^2$ even?", "Is $x^2$ even?"), ("Use `map`", "Use map"), ("", ""),
     ("x" * 50, "x" * 39 + "…")],
)  # fmt: skip
def test_query_is_a_line_of_words(query, shown):
    assert words(query) == shown


def test_query_of_a_plain_study_is_as_it_was_written():
    assert words("**Why**?", study=Study(rendering="plain")) == "**Why**?"


def test_no_template_prints_the_source_of_a_query():
    found = [
        f"{path.relative_to(TEMPLATES)}: {match[0]}"
        for path in TEMPLATES.rglob("*.html")
        for line in path.read_text(encoding="utf-8").splitlines()
        for match in RAW.finditer(line)
        if not OTHERS.search(line)
    ]
    assert found == []
