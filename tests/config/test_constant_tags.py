"""Sentences and addresses that templates are compiled to."""

import pytest
from django.template import Context, Engine, Template
from django.template.base import TextNode
from django.utils import translation

PAGE = """\
{% load i18n static %}{% translate "Next" %}|{% translate "Page" context "item" %}|\
{% static "icon.svg" %}|{% blocktranslate trimmed %}
  You have answered everything.
{% endblocktranslate %}|{% blocktranslate %}Task {{ number }}{% endblocktranslate %}|\
{% translate "Next" as word %}{{ word }}|{% translate other %}"""
LIBRARIES = {"i18n": "config.constant_tags", "static": "config.constant_tags"}


@pytest.fixture
def engine(tmp_path):
    (tmp_path / "page.html").write_text(PAGE)
    (tmp_path / "whole.html").write_text('{% load i18n static %}{% include "page.html" %}')
    loaders = [("config.template_loader.LanguageLoader", ["config.template_loader.Loader"])]
    return Engine(dirs=[tmp_path], loaders=loaders, libraries=LIBRARIES)


def shown(engine, language, name="whole.html"):
    with translation.override(language):
        return engine.render_to_string(name, {"number": 3, "other": "Finish"})


def as_django_shows(language):
    django = Engine(
        libraries={"i18n": "django.templatetags.i18n", "static": "django.templatetags.static"}
    )
    with translation.override(language):
        return Template(PAGE, engine=django).render(Context({"number": 3, "other": "Finish"}))


@pytest.mark.parametrize("language", ["en-gb", "de", None])
def test_pages_of_all_languages_are_as_django_makes_them(engine, language):
    for other in ("de", "en-gb", None):  # in whatever language they were compiled before
        shown(engine, other)
    assert shown(engine, language) == as_django_shows(language)


def test_english_and_german_pages_differ(engine):
    assert shown(engine, "de") != shown(engine, "en-gb")


def test_a_sentence_and_an_address_are_compiled_to_text(engine):
    nodes = engine.get_template("page.html").nodelist
    constant = [node.s for node in nodes if isinstance(node, TextNode) and node.s.strip("|")]
    assert constant == ["Next", "Page", "/static/icon.svg", "You have answered everything."]


def test_template_from_a_string_speaks_the_language_of_its_rendering(engine):
    template = engine.from_string('{% load i18n %}{% translate "Next" %}')
    pages = []
    for language in ("en-gb", "de"):
        with translation.override(language):
            pages.append(template.render(Context()))
    assert pages == ["Next", "Weiter"]
