"""Answers of a model on the page where they are judged, in a real Chromium."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.cast import draft_study, open_study, small_corpus
from tests.journeys.test_judging_study import DESK, PHONE, begin, saved
from tests.services.web import WebProcess

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Web = Callable[[int], list[WebProcess]]
Axe = Callable[[Any], list[str]]
ANSWER = r"""# Summary

Here is a **table** [1]:

| Country | Salt (g/l) | Note |
|---|---:|:-:|
| Dead Sea | 342 | *very*<br>salty |
| Baltic | 7 | brackish |

Inline math $E = mc^2$, the size $n$ of a price of $5 and $10, and display:

$$\int_0^1 x^2\,dx = \frac{1}{3}$$

\[ a^2 + \href{https://evil.example}{b^2} = \colorbox{red}{c} \]

This does not parse: $\frac{1}{$.

```python
@decorated
def salt(x):
    return x * 0.035  # **not bold**, and a comment that is longer than the column it is shown in
```

- [x] done
- [ ] todo

<details>
<summary>More</summary>

Folded H<sub>2</sub>O.

</details>

![A chart](https://example.org/chart.png)

A note[^1].

[^1]: The footnote.
"""
RTL = """المحيط مالح لأن الأنهار تحمل الأملاح ($NaCl$) إلى البحر [1].

- النقطة الأولى

English words."""


def watched_page(browser: Browser, web_processes: Web, viewport: Any, texts: list[str]) -> Page:
    """Bob looks at a pair of these texts; refusals of the policy and requests are noted."""
    corpus = small_corpus(responses=2)
    for response, text in zip(corpus.responses.all(), texts, strict=True):
        response.text = text
        response.save()
    open_study(
        draft_study(
            instrument="crowdrag-pairwise",
            corpus=corpus,
            recruitment="prolific",
            completion_code="C0",
        )
    )
    page = browser.new_context(viewport=viewport).new_page()
    page.requested = []  # type: ignore[attr-defined]
    page.refused = []  # type: ignore[attr-defined]
    page.on("request", lambda request: page.requested.append(request.url))  # type: ignore[attr-defined]
    page.on("console", lambda line: page.refused.append(line.text))  # type: ignore[attr-defined]
    begin(page, web_processes(1)[0].url, "bob")
    saved(page)
    return page


def test_formulas_are_typeset_under_our_policy_and_nothing_remote_is_loaded(
    browser: Browser, web_processes: Web, axe: Axe
) -> None:
    page = watched_page(browser, web_processes, DESK, [ANSWER, RTL])
    formulas = page.locator("[data-formula][data-typeset]")
    # Three of the answer, and one of the other text. What has a link in it stays as written.
    expect(formulas).to_have_count(4)
    expect(page.locator("[data-formula] math")).to_have_count(4)
    raw = page.locator("[data-formula][data-raw]").all_text_contents()
    assert raw == [
        r"\[ a^2 + \href{https://evil.example}{b^2} = \colorbox{red}{c} \]",
        r"$\frac{1}{$",
    ]
    heights = formulas.evaluate_all("all => all.map(one => one.getBoundingClientRect().height)")
    assert max(heights) > 30  # a fraction beside an integral: inline styles are applied
    assert page.locator("[data-formula] a").count() == 0
    assert all("evil" not in url and "example.org" not in url for url in page.requested)  # type: ignore[attr-defined]
    assert [line for line in page.refused if "Content Security" in line] == []  # type: ignore[attr-defined]
    page.evaluate("document.fonts.load('16px KaTeX_Main')")
    assert axe(page) == []


def test_a_page_without_formulas_loads_no_katex(browser: Browser, web_processes: Web) -> None:
    page = watched_page(browser, web_processes, PHONE, ["It costs $5 and $10.", "`$x$`"])
    assert not any("katex" in url for url in page.requested)  # type: ignore[attr-defined]


def test_texts_fit_a_phone(browser: Browser, web_processes: Web, axe: Axe) -> None:
    page = watched_page(browser, web_processes, PHONE, [ANSWER, RTL])
    expect(page.locator("[data-formula][data-typeset]").first).to_be_attached()
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"]
    assert axe(page) == []
