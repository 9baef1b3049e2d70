"""The progress row of a page: remembered HTML with the addresses of one worker."""

import pytest
from django.utils import translation

from judging.answering.progress import Dot


@pytest.mark.parametrize("state", ["open", "begun", "done"])
@pytest.mark.parametrize("current", [True, False])
def test_a_dot_has_its_number_state_and_address(state, current):
    html = Dot(3, 5, state, current, "/w/bob/judging/5/").html
    for attribute in ('href="/w/bob/judging/5/"', 'data-dot="5"', 'data-page="3"'):
        assert attribute in html
    assert f'data-state="{state}"' in html
    assert ("aria-current" in html) == current


def test_the_same_dot_of_another_worker_has_another_address():
    bob, charlie = (Dot(1, 1, "open", False, f"/w/{token}/judging/1/").html for token in ("b", "c"))
    assert "/w/b/" not in charlie
    assert charlie == bob.replace("/w/b/", "/w/c/")


def test_an_address_is_escaped():
    assert '"><' not in Dot(1, 1, "open", False, '"><script>').html.split("data-visit")[0]


def test_a_dot_is_remembered_once_a_language():
    dot = Dot(1, 1, "open", False, "/")
    pages = []
    for language in ("de", "en-gb", "de"):
        with translation.override(language):
            pages.append(dot.html)
    assert pages[0] == pages[2] != pages[1]
