"""Texts as people see them: nothing in them acts, and no link leads into our own pages."""

import re

import pytest

from annotation.texts import markdown
from annotation.texts.markdown import rendered

INTO_OUR_SITE = [
    "/logout/",
    "withdraw/",
    "../withdraw/",
    "?tab=x",
    "#main",
    "/w/token/withdraw/",
    "//testserver/logout/",
    "//elsewhere.example/",  # takes the scheme of the page: nobody writes it in a text
    "https:/logout/",
    "https:logout/",
    "http:/w/token/",
    "https:\\\\rag.example\\logout/",
    "https://rag.example/w/token/withdraw/",
    "https://RAG.example:8000/",
    "https://rag.example./",
    "https://someone@rag.example/",
    "https://rag.example\\@elsewhere.example/",
    "https://rag%2Eexample/",
    "https://ｒａｇ.example/",
    "https://www.rag.example/",
    "javascript:alert(1)",
    "data:text/html,x",
]


@pytest.fixture(autouse=True)
def our_hosts(settings):
    settings.PUBLIC_URL = "https://rag.example"
    settings.ALLOWED_HOSTS = ["rag.example", ".rag.example", "testserver"]
    markdown._remembered.cache_clear()


def links(text):
    return re.findall(r"<a [^>]*href=[^>]*>", rendered(text))


@pytest.mark.parametrize("address", INTO_OUR_SITE)
def test_a_link_in_a_text_leads_nowhere_in_our_site(address):
    for text in (
        f"[press here]({address})",
        f"[press here](<{address}>)",
        f"[press here][1]\n\n[1]: {address}",
    ):
        assert links(text) == []
        assert "press here" in rendered(text)
    assert links(f"<{address}>") == []


@pytest.mark.parametrize(
    "address",
    ["https://en.wikipedia.org/wiki/Lamp?a=1#b", "http://example.org", "https://a.de:8443/"],
)
def test_a_link_elsewhere_opens_a_new_tab_and_tells_nothing_of_this_page(address):
    (link,) = links(f"[press here]({address})")
    assert f'href="{address}"' in link.replace("&amp;", "&")
    assert 'target="_blank"' in link
    assert 'rel="noopener noreferrer nofollow"' in link


def test_any_host_is_ours_only_by_name(settings):
    settings.ALLOWED_HOSTS = ["*"]
    assert links("[b](https://elsewhere-2.example/)")
    assert not links("[b](https://rag.example/2/)")


def test_html_in_a_text_is_text():
    assert "&lt;a href" in rendered('<a href="/logout/">x</a>')
