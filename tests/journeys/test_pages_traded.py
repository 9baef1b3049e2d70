"""Hasty workers in Chromium: no answer or text of one page appears on another."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys.test_judging_study import answers_of, chosen, saved
from tests.journeys.test_judging_study import study as study  # the fixture
from tests.journeys.test_pages_sent_once import answer, go_on, on_page, open_first
from tests.services.web import WebProcess

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Web = Callable[[int], list[WebProcess]]

# Forms of any shape trade places twice; returns the numbers of those that lost or mixed something.
TRADE_DRAWN = """async (times) => {
  const { exchange } = await import("/static/js/exchanging.js");
  let seed;
  const draw = (most) => (seed = (seed * 48271) % 2147483647) % most;
  const make = (name, attributes, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  const choice = (type, name, n) => {
    const input = make("input", { type, name, value: n, "data-key": n });
    input.toggleAttribute("checked", !draw(4));
    if (!draw(3)) input.checked = !input.checked;
    input.disabled = !draw(5);
    return make("label", {}, input, `answer ${draw(3)}`);
  };
  const typed = (name, attributes, value) => {
    const element = make(name, attributes);
    if (draw(3)) element.value = value;
    return element;
  };
  const parts = [
    (name) => make("div", { "data-field": "", "data-number": draw(9) },
      ...[...Array(2 + draw(2)).keys()].map((n) => choice("radio", name, n))),
    (name) => make("div", { "data-field": "" }, choice("radio", name, 0), choice("radio", name, 1)),
    (name) => make("div", {}, choice("checkbox", name, draw(3))),
    (name) => typed("textarea", { name }, `typed ${draw(99)}`),
    (name) => typed("input", { name, type: "number", min: 0 }, String(draw(99) - 50)),
    (name) => typed("input", { name, type: "range", [`data-${draw(2)}`]: "" }, String(draw(99))),
    (name) => {
      const fold = make("details", {}, make("summary", {}, "more"), parts[draw(6)](name));
      fold.open = Boolean(draw(2));
      return fold;
    },
    () => {
      const place = make("span", { "data-formula": "" }, `formula ${draw(3)}`);
      place.style.height = `${draw(4)}px`;
      return make("p", { class: `c${draw(3)}` }, place);
    },
    () => `words ${draw(3)}`,
  ];
  const page = () => {
    const names = ["a", "b", "c", "d"].sort(() => draw(2) - 0.5);
    const fields = names.slice(draw(2)).map((name) => parts[draw(9)](name));
    const form = make("form", { "data-questions": "" }, ...fields);
    const text = make("p", {}, `text ${draw(9)}`);
    return make("main", { "data-item": draw(99) }, make("div", {}, text, form));
  };
  const shown = (main) => JSON.stringify([main.outerHTML,
    [...main.querySelectorAll("input, textarea")].map(({ checked, value }) => [checked, value]),
    [...main.querySelectorAll("[data-formula]")].map(({ style }) => style.height)]);
  const wrong = [];
  for (let n = 1; n <= times; n += 1) {
    seed = n * 7919;
    const [here, other] = [page(), page()];
    document.body.append(here);
    const before = [here, other].map(shown);
    const traded = exchange(here, other);
    const after = [here, other].map(shown);
    const again = exchange(here, other) && [here, other].map(shown);
    here.remove();
    const isRight = `${after}` === `${[...before].reverse()}` && `${again}` === `${before}`;
    if (!traded || !isRight) wrong.push(n);
  }
  return wrong;
}"""
HASTE = """(steps) => {
  for (const step of steps) {
    if (step === "back") history.back();
    else if (/\\d/.test(step)) {
      const pressed = new KeyboardEvent("keydown", { key: step, bubbles: true, cancelable: true });
      (document.activeElement ?? document.body).dispatchEvent(pressed);
    } else document.querySelector(`[data-${step}]`).click();
  }
}"""


@pytest.fixture
def base(web_processes: Web, study: Any) -> str:
    return web_processes(1)[0].url


@pytest.fixture
def page(browser: Browser, base: str) -> Page:
    return open_first(browser, base)


def test_forms_of_any_shape_trade_all_that_they_show(page: Page) -> None:
    assert page.evaluate(TRADE_DRAWN, 500) == []


@pytest.mark.parametrize(
    ("steps", "position"),
    [
        (["next", "back"], 1),
        (["next", "next", "back"], 2),
        (["next", "previous", "next"], 2),
        (["next", "previous", "next", "back"], 1),
    ],
)
def test_steps_within_one_picture_lead_where_they_say(
    page: Page, steps: list[str], position: int
) -> None:
    page.evaluate(HASTE, steps)
    on_page(page, position)
    expect(page.locator("[data-dot][aria-current=step]")).to_have_attribute(
        "data-page", str(position)
    )
    page.reload()
    on_page(page, position)


def test_keys_within_one_picture_answer_the_page_that_is_shown(page: Page) -> None:
    page.evaluate(HASTE, ["1", "2", "next", "2", "2", "1", "next", "1", "previous", "2"])
    on_page(page, 2)
    saved(page)
    given = answers_of("bob")
    raws = {at: [raw for (place, _), raw in given.items() if place == at] for at in (1, 2, 3)}
    assert [len(raws[at]) for at in (1, 2, 3)] == [2, 4, 1]
    assert sorted(raws[1]) == ["a", "n"]
    assert raws[3] == ["a"]
    assert len(chosen(page)) == 4
    page.reload()
    assert len(chosen(page)) == 4


def test_words_typed_as_one_leaves_stay_with_their_page(page: Page) -> None:
    page.locator(".remark summary").click()
    page.locator("[data-remark]").press_sequentially("half of th")
    page.evaluate(HASTE, ["next", "1"])
    on_page(page, 2)
    expect(page.locator("[data-remark]")).to_have_value("")
    page.locator(".remark summary").click()
    page.locator("[data-remark]").press_sequentially("second")
    page.evaluate(HASTE, ["previous"])
    expect(page.locator("[data-remark]")).to_have_value("half of th")
    saved(page)
    from judging.models import Presentation

    remarks = Presentation.objects.order_by("position").values_list("comment", flat=True)
    assert list(remarks) == ["half of th", "second", ""]


def test_press_on_one_page_does_not_answer_on_the_next(page: Page) -> None:
    label = page.locator("[data-question-block]").first.locator("label").first
    box = label.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.evaluate(HASTE, ["next"])
    on_page(page, 2)
    page.mouse.up()
    assert chosen(page) == {}
    page.mouse.down()
    page.mouse.up()
    assert len(chosen(page)) == 1
    go_on(page)
    on_page(page, 3)
    answer(page, "a", range(1))
    saved(page)
    assert sorted(place for place, _ in answers_of("bob")) == [2, 3]
