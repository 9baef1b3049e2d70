"""How often Playwright looks whether a page is as a test expects it.

What a test is patient for it looks at every half second, so that most of what is waited for is seen
a quarter of a second late; what has to be there within two seconds, every tenth of a second. So we
ask for these two seconds, again and again as long as the test is patient.
"""

import time
from typing import Any

from playwright._impl.frame import Frame

STEP = 2_000.0  # ms: above 2,500 it looks seldom
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


def look_often() -> None:
    """From now on, in this process."""
    Frame._expect = _often
