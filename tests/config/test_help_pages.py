"""The documentation site under /help/: its files for everybody, or how to build it."""

import re

import pytest

from annotation.console.page_guides import PAGE_GUIDES
from annotation.guides import guide_url
from tests.cast import rita

pytestmark = pytest.mark.django_db


@pytest.fixture
def site(settings, tmp_path):
    for name in ("index.html", "tutorial/index.html", "_static/site.css", ".buildinfo"):
        file = tmp_path / "help" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
    (tmp_path / "secret").write_text("secret")
    settings.HELP_ROOT = tmp_path / "help"


def body(response):
    return b"".join(response.streaming_content).decode()


@pytest.mark.parametrize(
    ("address", "file"),
    [
        ("/help/", "index.html"),
        ("/help/tutorial/", "tutorial/index.html"),
        ("/help/_static/site.css", "_static/site.css"),
    ],
)
def test_anybody_reads_a_page_or_file(client, site, address, file):
    response = client.get(address)
    assert response.status_code == 200
    assert body(response) == file
    assert response.headers["Cache-Control"] == "public, max-age=3600"
    assert "script-src" not in response.headers["Content-Security-Policy"]  # default-src 'self'
    assert "unsafe" not in response.headers["Content-Security-Policy"]


def test_a_page_without_its_last_slash_is_redirected(client, site):
    response = client.get("/help/tutorial")
    assert response.status_code == 302
    assert response.url == "/help/tutorial/"


@pytest.mark.parametrize(
    "path",
    ["nowhere/", "nowhere", "_static/", "../secret", "%2e%2e/secret", ".buildinfo", "/etc/passwd"],
)
def test_nothing_else_is_served(client, site, path):
    assert client.get(f"/help/{path}").status_code == 404


def test_a_server_without_the_site_names_the_command(client):
    for address in ("/help/", "/help/tutorial/"):
        response = client.get(address)
        assert response.status_code == 404
        assert "<code>make docs</code>" in response.text


@pytest.mark.parametrize(
    ("address", "guide"),
    [
        ("/", guide_url(PAGE_GUIDES["studies"])),
        ("/corpora/", guide_url(PAGE_GUIDES["corpora"])),
        ("/search/?q=x", "/help/"),
    ],
)
def test_a_console_page_leads_to_its_guide(client, address, guide):
    client.force_login(rita())
    links = re.findall(r'<a[^>]*href="([^"]*)"[^>]*data-help', client.get(address).text)
    assert links == [guide]
