"""Links from the interface to guides point to existing pages and headings."""

import re

import pytest
from django.template import Context, Template
from django.urls import URLPattern, get_resolver

from annotation.console.page_guides import PAGE_GUIDES
from annotation.guides import guide_url
from tests.services.children import ROOT

APPS = ("config", "annotation", "writing", "judging", "analysis")
IN_TEMPLATE = re.compile(r"\{% (?:guide|learn_more) (.*?)(?: as \w+)? %\}")
IN_CODE = re.compile(r"\bguide_url\((\".*?)\)")  # not those of a variable
LITERAL = re.compile(r'"([^"]*)"')
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def slug(heading: str) -> str:
    """Return the anchor of a heading, as GitHub and MyST make it."""
    words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def is_there(target: str) -> bool:
    page, _, section = target.partition("#")
    file = ROOT / "docs" / f"{page}.md"
    if not file.is_file():
        return False
    return not section or section in map(slug, HEADING.findall(file.read_text()))


def links() -> dict[str, list[str]]:
    """Return the arguments of each link, by file."""
    files = [*(ROOT / "templates").rglob("*.html")]
    found = {str(file): IN_TEMPLATE.findall(file.read_text()) for file in files}
    for app in APPS:
        for file in (ROOT / app).rglob("*.py"):
            found[str(file)] = IN_CODE.findall(file.read_text())
    return {file: arguments for file, arguments in found.items() if arguments}


def test_every_link_of_a_template_or_module_is_there():
    lost = [
        f"{file}: {argument}"
        for file, arguments in links().items()
        for argument in arguments
        if not (literal := LITERAL.fullmatch(argument)) or not is_there(literal[1])
    ]
    assert not lost, "\n".join(lost)


def test_every_page_of_the_console_has_a_guide_that_is_there():
    lost = {name: target for name, target in PAGE_GUIDES.items() if not is_there(target)}
    assert not lost


def names(patterns) -> set[str]:
    found = set()
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            found.add(pattern.name)
        else:
            found |= names(pattern.url_patterns)
    return found


def test_every_page_with_a_guide_exists():
    assert set(PAGE_GUIDES) <= names(get_resolver().url_patterns)


@pytest.mark.parametrize("target", ["Tutorial", "../secret", "tutorial/", "https://x.example", ""])
def test_what_is_no_guide_is_refused(target):
    with pytest.raises(ValueError, match=re.escape(repr(target))):
        guide_url(target)


@pytest.mark.parametrize(
    ("target", "address"),
    [
        ("tutorial", "/help/tutorial/"),
        ("methods/index", "/help/methods/"),
        ("methods/strengths#formula", "/help/methods/strengths/#formula"),
        ("index", "/help/"),
    ],
)
def test_a_guide_has_an_address(target, address):
    assert guide_url(target) == address
    template = Template("{% load guides %}{% guide target %} {% learn_more target %}")
    html = template.render(Context({"target": target}))
    assert html.startswith(f"{address} ")
    assert f'href="{address}"' in html


@pytest.mark.parametrize("target", ["nowhere", "tutorial#nowhere"])
def test_a_lost_target_is_noticed(target):
    assert not is_there(target)
