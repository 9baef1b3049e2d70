"""How often Playwright looks whether a page is as a test expects it, and when it acts on a page.

What a test is patient for it looks at every half second, so that most of what is waited for is seen
a quarter of a second late; what has to be there within two seconds, every tenth of a second. So we
ask for these two seconds, again and again as long as the test is patient.

A page that a click led to is seen before its scripts have run. Whoever sits before it needs longer
to find the field than they do; a test is quicker, and what it does then is heard by nobody. So it
acts when the page is whole, or after two seconds: a test may hold a script back.
"""

import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from playwright._impl._errors import TimeoutError as NotInTime
from playwright._impl.frame import Frame
from playwright._impl.input import Keyboard
from playwright._impl.locator import Locator

STEP = 2_000.0  # ms: above 2,500 it looks seldom
ACTS = ("click", "check", "uncheck", "fill", "press", "type", "select_option", "set_input_files")
KEYS = ("press", "type", "insert_text")
_once = Frame._expect


async def _often(
    frame: Frame, selector: str | None, expression: str, options: Any, title: str | None
) -> Any:
    ends = time.monotonic() + options["timeout"] / 1000
    while True:
        left = (ends - time.monotonic()) * 1000
        step = {**options, "timeout": min(max(left, 1.0), STEP)}
        seen = await _once(frame, selector, expression, step, title)
        if left <= STEP or not seen.get("timedOut"):
            return seen


async def _whole(frame: Frame) -> None:
    if "load" not in frame._load_states:
        with suppress(NotInTime):
            await frame.wait_for_load_state("load", STEP)


def _on_a_whole_page(act: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    async def acting(locator: Locator, *args: Any, **options: Any) -> Any:
        await locator.wait_for(options.get("timeout"), "attached")
        await _whole(locator._frame)
        return await act(locator, *args, **options)

    return acting


def _pressed_on_a_whole_page(press: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    async def pressing(keyboard: Keyboard, *args: Any, **options: Any) -> Any:
        await _whole(keyboard._page._main_frame)
        return await press(keyboard, *args, **options)

    return pressing


def look_often() -> None:
    """From now on, in this process."""
    Frame._expect = _often


def act_on_whole_pages() -> None:
    """From now on, in this process; called once."""
    for name in ACTS:
        setattr(Locator, name, _on_a_whole_page(getattr(Locator, name)))
    for name in KEYS:
        setattr(Keyboard, name, _pressed_on_a_whole_page(getattr(Keyboard, name)))
