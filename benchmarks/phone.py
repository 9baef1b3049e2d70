"""Time until a page is interactive on a slow phone: `python -m benchmarks.phone [LOADS]`.

A judging page behind the nginx of the repository, as production serves it (collected files,
TLS, HTTP/2), in a Chromium that the DevTools protocol slows down: a quarter of the processor,
1.6 Mbit/s, 150 ms. Each load has an empty cache. A page is interactive when its last module has
run, which then puts the focus on the heading; a next item has appeared when the browser has
painted it after the click. With bundles where `npm run bundle` has made them.
"""

import os
import statistics
import sys
from pathlib import Path

from benchmarks.installation import Installation, installation
from benchmarks.reporting import Row, load_now, report

SPEED = {"latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 93_750}  # ms, bytes/s
SLOWER = 4  # times
PHONE = {"width": 390, "height": 844}
INTERACTIVE, NEXT = 1500, 50  # ms
LOADS, ITEMS = 5, 8
WATCH = """
window.seen = { layout: 0, blocked: 0, next: [] };
const observe = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take))
  .observe({ type, buffered: true });
observe("largest-contentful-paint", (entry) => (seen.largest = entry.startTime));
observe("layout-shift", (entry) => (seen.layout += entry.hadRecentInput ? 0 : entry.value));
observe("longtask", (entry) => (seen.blocked += entry.duration - 50));
addEventListener("focusin", ({ target }) => {
  if (target.matches?.("[data-heading]")) seen.interactive ??= performance.now();
});
let clicked = 0;
addEventListener("click", ({ target }) => {
  if (target.closest("[data-next]")) clicked = performance.now();
}, true);
document.addEventListener("crowdwright:item", () => {
  const began = clicked;
  requestAnimationFrame(() => setTimeout(() => seen.next.push(performance.now() - began)));
});
"""


def main() -> None:
    loads = int(sys.argv[1]) if len(sys.argv) > 1 else LOADS
    busy = load_now()
    with installation() as made:
        figures = of_loads(made, loads)
    report("phone", rows_of(figures, loads), load=busy)


def of_loads(made: Installation, loads: int) -> list[dict]:
    """Return the figures of each load of the page."""
    from benchmarks.saving import prepare
    from tests.services.proxy import Proxy
    from tests.services.web import WebProcess

    addresses = [work.base for work in prepare(loads)]
    os.environ["STATIC_HASHED"] = "1"
    made.command("collectstatic", "--noinput")
    web = WebProcess(database=made.database, broker=made.broker, log=made.folder / "web.log")
    proxy = Proxy(made.folder, upstream=web.port)
    try:
        return browse([f"https://localhost:{proxy.https}{base}1/" for base in addresses])
    finally:
        proxy.stop()
        web.stop()


def browse(addresses: list[str]) -> list[dict]:
    from playwright.sync_api import sync_playwright

    from tests.services import chromium

    if node := chromium.find_node():
        os.environ["PLAYWRIGHT_NODEJS_PATH"] = str(node)
    with sync_playwright() as playwright:
        found = chromium.find_chromium(
            Path(playwright.chromium.executable_path), lock=Path("/tmp/crowdwright-chromium.lock")
        )
        browser = playwright.chromium.launch(executable_path=str(found), args=chromium.flags())
        return [of_page(browser, address) for address in addresses]


def of_page(browser, address: str) -> dict:
    """Load one page in a context of its own, and go through its items."""
    context = browser.new_context(viewport=PHONE, ignore_https_errors=True, has_touch=True)
    context.add_init_script(WATCH)
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    sizes: list[int] = []
    devtools.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", {"offline": False, **SPEED})
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(address, wait_until="load")
    wait_for(page, "seen.interactive")
    page.wait_for_load_state("networkidle")
    # The first page and its font; the pages that follow come later and are not of this wave.
    begun = page.evaluate("""() => performance.getEntriesByType("resource")
        .filter(({ initiatorType }) => initiatorType !== "fetch").length + 1""")
    figures = {"requests": begun, "kilobytes": sum(sizes) / 1000}
    figures |= page.evaluate("({ ...seen })")
    for number in range(1, ITEMS):
        page.wait_for_timeout(500)
        page.locator("[data-next]").evaluate("link => link.click()")
        wait_for(page, f"seen.next.length >= {number}")
    figures["next"] = page.evaluate("seen.next")
    context.close()
    return figures


def wait_for(page, expression: str) -> None:
    """Playwright's own `wait_for_function` needs an `eval` that our policy forbids."""
    while not page.evaluate(expression):
        page.wait_for_timeout(50)


def rows_of(figures: list[dict], loads: int) -> list[Row]:
    n = f"{loads} loads, processor 4 times slower, 1.6 Mbit/s, 150 ms"

    def middle(name: str) -> float:
        return statistics.median(each[name] for each in figures)

    nexts = [each for figure in figures for each in figure["next"]]
    return [
        Row(
            what="a judging page is interactive",
            n=n,
            ours=middle("interactive"),
            unit="ms",
            most=INTERACTIVE,
            remark=f"{middle('requests'):.0f} requests, {middle('kilobytes'):.1f} kB with the "
            f"pages that follow; largest text after {middle('largest'):.0f} ms, layout shift "
            f"{middle('layout'):.3f}, tasks above 50 ms block {middle('blocked'):.0f} ms",
        ),
        Row(
            what="the next item is painted after the click",
            n=f"{len(nexts)} items",
            ours=statistics.median(nexts),
            unit="ms",
            most=NEXT,
            remark=f"95 in 100 within {statistics.quantiles(nexts, n=20)[-1]:.0f} ms",
        ),
    ]


if __name__ == "__main__":
    main()
