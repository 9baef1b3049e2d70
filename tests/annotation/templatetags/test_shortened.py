"""Texts are shortened as Django shortens them."""

import pytest
from django.template import Context, Template, defaultfilters
from django.utils.safestring import SafeString, mark_safe

from annotation.templatetags.shortened import truncatechars

TEXTS = [
    "",
    "a",
    "Why do cats purr?",
    "<b>Why</b>",
    "Ärger über Öl",
    "e\u0301te\u0301 en France",
    "…",
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("most", [0, 1, 2, 5, 8, 16, 17, 80, "5", "no number"])
def test_it_does_what_django_does(text, most):
    assert truncatechars(text, most) == defaultfilters.truncatechars(text, most)


def test_what_is_safe_stays_so_and_nothing_else_becomes_it():
    assert isinstance(truncatechars(mark_safe("<b>Why</b>"), 5), SafeString)
    assert not isinstance(truncatechars("<b>Why</b>", 5), SafeString)


def test_every_template_has_it(monkeypatch):
    monkeypatch.setattr(defaultfilters, "truncatechars", None)  # which a text of ASCII does without
    page = Template("{{ text|truncatechars:5 }}").render(Context({"text": "<b>Why</b>"}))
    assert page == "&lt;b&gt;W…"
