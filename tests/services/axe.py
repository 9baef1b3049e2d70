"""axe-core in a page: https://www.deque.com/axe/ finds what a screen reader would stumble over."""

import json
from typing import Any

from playwright.sync_api import Error as PlaywrightError

from tests.services.children import ROOT, ServiceFailed

SOURCE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
# What is just fading in has little contrast: look at the page that it becomes.
SETTLED = "Promise.allSettled(document.getAnimations().map((each) => each.finished))"
STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
# What is in order is neither described nor sent: of a long page that would be half a megabyte.
OPTIONS = json.dumps({"runOnly": STANDARDS, "resultTypes": ["violations"]})
RUN = f"axe.run(document, {OPTIONS}).then(({{violations}}) => violations)"


# Errors of a command to a document that another one replaced before its answer.
REPLACED = ("Inspected target navigated or closed", "Execution context was destroyed")
LOOKS = 3  # at a page that is replaced while axe looks at it
ORIGIN = "performance.timeOrigin"  # of each document another one


def faults(page: Any) -> list[str]:
    """Return the serious and critical violations on the page, one sentence for each element.

    The source goes in over the debugging protocol, so the page keeps its content security policy.
    A page that another one replaces meanwhile does not count: we look at the one that came. Who
    follows a link waits for the new page first, or the old one may be looked at.
    """
    if not SOURCE.exists():
        raise ServiceFailed("axe-core is not installed: type `make install`")
    for _ in range(LOOKS):
        page.wait_for_load_state()
        found = _looked_at(page)
        if found is not None:
            return found
    raise ServiceFailed(f"axe-core: {page.url} was replaced {LOOKS} times while it was looked at")


def _looked_at(page: Any) -> list[str] | None:
    """Return the faults of the document that is shown.

    None if another one replaces it meanwhile.
    """
    session = page.context.new_cdp_session(page)
    try:
        origin = page.evaluate(ORIGIN)
        for each in (SETTLED, SOURCE.read_text(), RUN):
            answer = session.send(
                "Runtime.evaluate",
                {"expression": each, "awaitPromise": True, "returnByValue": each is RUN},
            )
        if page.evaluate(ORIGIN) != origin:
            return None
    except PlaywrightError as error:
        if not any(words in str(error) for words in REPLACED):
            raise
        return None
    finally:
        session.detach()
    if "exceptionDetails" in answer:
        raise ServiceFailed(f"axe-core failed: {answer['exceptionDetails']}")
    return [
        f"{violation['id']} ({violation['impact']}): {violation['help']}: {node['html']}"
        for violation in answer["result"]["value"]
        if violation["impact"] in {"serious", "critical"}
        for node in violation["nodes"]
    ]
