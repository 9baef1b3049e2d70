"""Any Markdown with formulas is rendered in bounded time, and the result is clean."""

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.texts.literal_spans import literal_spans
from annotation.texts.markdown import ShownImage, rendered
from annotation.texts.markdown.cleaning import cleaned
from annotation.texts.markdown.parser import MAX_LENGTH
from tests.annotation.texts.test_markdown_as_in_a_chat import PIECES, TEXTS

ADDRESS = f"/w/token/images/{'a' * 64}/"


class AnyImage:
    """Images of which each has the same address."""

    def find(self, source):
        return ShownImage(ADDRESS, 4, 3) if source.endswith(".png") else None


def quotes(html):
    """Return HTML with quotes in words as they are, which may be written in two ways."""
    return html.replace("&quot;", '"').replace("&#x27;", "'").replace("&#39;", "'")


@settings(max_examples=150, deadline=None)
@given(
    texts=st.lists(st.one_of(TEXTS, st.just("![a](b.png)"), st.text(max_size=30)), max_size=4),
    marks=st.lists(st.integers(0, 60), max_size=6),
)
def test_what_is_rendered_passes_the_cleaning_once_more(texts, marks):
    text = "\n".join(texts)
    places = sorted({place for place in marks if place <= len(text)})
    cited = [[one, other, 0] for one, other in zip(places[::2], places[1::2], strict=False)]
    html = rendered(
        text, images=AnyImage(), cited=cited, link=lambda _: '<span class="cites"></span>'
    )
    assert quotes(cleaned(html)) == quotes(html)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
@given(pattern=st.lists(PIECES, min_size=1, max_size=4).map("".join))
def test_a_pattern_that_is_repeated_takes_bounded_time(pattern):
    text = pattern * (20_000 // len(pattern))
    begin = time.process_time()
    rendered(text)
    literal_spans(text)
    assert time.process_time() - begin < 4  # a tenth of that: a quadratic one takes minutes


@pytest.mark.parametrize("sign", ["$", "`", "*", "[", "<", "\\(", "|", "![", "a ", "\\["])
def test_a_line_as_long_as_can_be_rendered_takes_bounded_time(sign):
    text = sign * ((MAX_LENGTH - 1) // len(sign))
    begin = time.process_time()
    assert rendered(text)
    assert time.process_time() - begin < 15


@pytest.mark.parametrize("sign", ["$x$ ", "`a` ", "> ", "data:image/png;base64,AA", "\x00", "\r"])
def test_a_line_of_a_megabyte_is_shown_as_it_is_written(sign):
    text = sign * (1_000_000 // len(sign))
    begin = time.process_time()
    rendered(text)
    literal_spans(text)
    assert time.process_time() - begin < 15
