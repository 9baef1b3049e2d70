"""axe-core in a page: https://www.deque.com/axe/ finds what a screen reader would stumble over."""

import json
from typing import Any

from tests.services.children import ROOT, ServiceFailed

SOURCE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
# What is just fading in has little contrast: look at the page that it becomes.
SETTLED = "Promise.allSettled(document.getAnimations().map((each) => each.finished))"
STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
# What is in order is neither described nor sent: of a long page that would be half a megabyte.
OPTIONS = json.dumps({"runOnly": STANDARDS, "resultTypes": ["violations"]})
RUN = f"axe.run(document, {OPTIONS}).then(({{violations}}) => violations)"


def faults(page: Any) -> list[str]:
    """Return the serious and critical violations on the page, one sentence for each element.

    The source goes in over the debugging protocol, so the page keeps its content security policy.
    """
    if not SOURCE.exists():
        raise ServiceFailed("axe-core is not installed: type `make install`")
    session = page.context.new_cdp_session(page)
    try:
        session.send("Runtime.evaluate", {"expression": SETTLED, "awaitPromise": True})
        session.send("Runtime.evaluate", {"expression": SOURCE.read_text()})
        answer = session.send(
            "Runtime.evaluate",
            {"expression": RUN, "awaitPromise": True, "returnByValue": True},
        )
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
