"""The documentation site as `make docs` builds it: whole, without anything from elsewhere."""

import re
import subprocess
import sys
import urllib.parse
from html.parser import HTMLParser
from pathlib import Path

import pytest
from playwright.sync_api import expect

from annotation.console.page_guides import PAGE_GUIDES
from tests.services.children import ROOT

pytestmark = pytest.mark.system

LOADED = {  # elements that load what an attribute names
    "audio": "src",
    "embed": "src",
    "iframe": "src",
    "img": "src",
    "link": "href",
    "object": "data",
    "script": "src",
    "source": "src",
    "video": "src",
}
IN_CSS = re.compile(r"(?:url\(\s*['\"]?|@import\s+['\"])(?:https?:)?//", re.IGNORECASE)
SHORT = ("tutorial", "methods/strengths", "reference/rest-api", "reference/statistics/agreement")


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    command = [sys.executable, "-m", "sphinx", "-b", "dirhtml", "-W", "--keep-going", "-q"]
    paths = ["-d", str(folder / "doctrees"), str(ROOT / "docs"), str(folder / "help")]
    built = subprocess.run([*command, *paths], cwd=ROOT, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    return folder / "help"


class Elements(HTMLParser):
    """Ids, loaded addresses and inline code of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.loaded: list[str] = []
        self.inline: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.ids.add(named.get("id") or "")
        if LOADED.get(tag) in named:
            self.loaded.append(named[LOADED[tag]] or "")
        if tag == "style" or (tag == "script" and "src" not in named):
            self.inline.append(tag)
        self.inline += [name for name in named if name == "style" or name.startswith("on")]


def is_remote(address: str) -> bool:
    parts = urllib.parse.urlsplit(address)
    return bool(parts.netloc) or parts.scheme not in ("", "data")


def pages(site: Path) -> dict[str, Elements]:
    return {
        path.relative_to(site).as_posix(): Elements(path.read_text())
        for path in site.rglob("*.html")
    }


def test_a_page_loads_nothing_from_elsewhere_and_has_no_inline_code(site):
    elements = pages(site)
    assert {f"{name}/index.html" for name in SHORT} < set(elements)
    remote = {
        name: [each for each in page.loaded if is_remote(each)] for name, page in elements.items()
    }
    assert not {name: found for name, found in remote.items() if found}
    assert not {name: page.inline for name, page in elements.items() if page.inline}
    sheets = {str(path): IN_CSS.findall(path.read_text()) for path in site.rglob("*.css")}
    assert sheets
    assert not {name: found for name, found in sheets.items() if found}


def test_every_markdown_file_of_the_documentation_is_a_page(site):
    files = {
        path.relative_to(ROOT / "docs").with_suffix("").as_posix()
        for path in (ROOT / "docs").rglob("*.md")
    }
    lost = [
        file for file in files if not (site / file.removesuffix("index") / "index.html").is_file()
    ]
    assert not lost


def test_every_guide_of_a_console_page_is_built(site):
    for target in PAGE_GUIDES.values():
        name, _, section = target.partition("#")
        page = Elements((site / name.removesuffix("index") / "index.html").read_text())
        assert not section or section in page.ids, target


def test_the_reference_names_requests_and_statistics(site):
    requests = Elements((site / "reference/rest-api/index.html").read_text())
    assert {"get-api-studies", "post-api-drafts"} <= requests.ids
    statistics = (site / "reference/statistics/agreement/index.html").read_text()
    assert "krippendorff" in statistics.lower()


def test_formulas_are_mathml(site):
    assert "<math" in (site / "methods/strengths/index.html").read_text()


@pytest.mark.browser
def test_pages_and_search_work_under_the_strict_policy(site, settings, live_server, page):
    settings.HELP_ROOT = site
    refused, asked = [], []
    page.on("console", lambda line: refused.append(line.text) if line.type == "error" else None)
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: refused.append(str(error)))
    for name in SHORT:
        assert page.goto(f"{live_server.url}/help/{name}/").ok
    page.locator(".theme-toggle:visible").first.click()
    expect(page.locator("body")).to_have_attribute("data-theme", re.compile("light|dark"))
    page.goto(f"{live_server.url}/help/search/?q=krippendorff")
    # The results come one after the other.
    page.locator("ul.search li a[href*='methods/agreement']").first.wait_for()
    assert refused == []
    assert {urllib.parse.urlsplit(url).netloc for url in asked} == {
        urllib.parse.urlsplit(live_server.url).netloc
    }
