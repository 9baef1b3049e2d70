"""The pictures of the guides, taken again: `.venv/bin/python -m docs.screenshots`.

A demo is made in a folder of its own and served; a researcher walks from the list of studies
through a draft to its launch and the results, a worker opens a page. Each picture is a file of
docs/images, at the width that most people have. Needs a Chromium, as the tests do.
"""

import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from tests.services import chromium
from tests.services.children import ROOT, free_port

IMAGES = ROOT / "docs" / "images"
DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 780}
SCALE = 2  # pixels of a picture for each of the page
COLOURS = 256  # of a picture: a quarter of the bytes
PATIENCE = 300  # seconds until the demo has run
METHOD = "judging/crowdrag-pairwise"


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="crowdwright-pictures-") as folder,
        served(Path(folder)) as base,
        sync_playwright() as playwright,
    ):
        var = Path(folder)
        path = chromium.find_chromium(
            Path(playwright.chromium.executable_path), lock=var / "chromium.lock"
        )
        browser = playwright.chromium.launch(executable_path=path, args=chromium.flags())
        desk = browser.new_context(
            viewport=DESK, color_scheme="light", device_scale_factor=SCALE
        ).new_page()
        log_in(desk, base, (var / "demo" / "demo-password").read_text().strip())
        built(desk, base)
        watched(desk, base)
        phone = browser.new_context(
            viewport=PHONE, is_mobile=True, has_touch=True, device_scale_factor=SCALE
        ).new_page()
        worked(phone, base)
        browser.close()


# -- The server ----------------------------------------------------------------------------------
@contextmanager
def served(var: Path) -> Iterator[str]:
    """Create and serve the demo; yield its address."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.endswith("_URL")},
        "CROWDWRIGHT_VAR": str(var),
    }
    manage = [sys.executable, str(ROOT / "manage.py")]
    subprocess.run([*manage, "demo", "--no-serve"], env=environment, check=True, timeout=PATIENCE)
    port = free_port()
    environment["CROWDWRIGHT_VAR"] = str(var / "demo")  # the demo has a world of its own in there
    server = subprocess.Popen(
        [*manage, "serve", "--port", str(port)], env=environment, stdout=subprocess.DEVNULL
    )
    try:
        base = f"http://localhost:{port}"
        until_it_answers(f"{base}/login/")
        yield base
    finally:
        server.terminate()
        server.wait(30)


def until_it_answers(address: str) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            urllib.request.urlopen(address, timeout=5).close()
        except (urllib.error.URLError, OSError):
            if time.monotonic() > until:
                raise
            time.sleep(0.2)
        else:
            return


# -- What is pictured ----------------------------------------------------------------------------
def picture(page: Page, name: str) -> None:
    """Take a screenshot of a loaded page."""
    page.wait_for_load_state("networkidle")
    taken = Image.open(BytesIO(page.screenshot()))
    taken.convert("RGB").quantize(COLOURS).save(IMAGES / f"{name}.png", optimize=True)
    print(f"docs/images/{name}.png", flush=True)


def visit(page: Page, address: str) -> None:
    answer = page.goto(address)
    if answer is None or not answer.ok:
        raise SystemExit(f"{address} is answered {answer and answer.status}")


def log_in(page: Page, base: str, password: str) -> None:
    page.goto(f"{base}/login/")
    page.locator("[name=username]").fill("rita")
    page.locator("[name=password]").fill(password)
    page.locator("main form button").first.click()
    page.wait_for_url(f"{base}/")


def built(page: Page, base: str) -> None:
    """Build a study, from a corpus and a method to the page that launches."""
    visit(page, f"{base}/corpora/demo/")
    picture(page, "corpus")
    visit(page, f"{base}/methods/?corpus=demo")
    picture(page, "instruments")
    page.locator(f"[name=of][value='{METHOD}']").click()
    page.wait_for_url(f"{base}/drafts/*/texts/")
    draft = page.url.removesuffix("texts/")
    written(page, "title", "Which answer helps more?")
    picture(page, "draft-texts")
    visit(page, f"{draft}instructions/")
    written(page, "contact", "Rita Reyes, University of X, rita@example.org")
    visit(page, f"{draft}recruitment/")
    written(page, "recruitment/pay", "5")
    for place in ("plan", "try", "check", "launch"):
        visit(page, f"{draft}{place}/")
        picture(page, f"draft-{place}")


def written(page: Page, name: str, words: str) -> None:
    """Fill in the field of a setting, and wait until it is saved."""
    field = page.locator(f"[name='{name}']")
    field.fill(words)
    with page.expect_response(lambda response: response.request.method == "POST"):
        field.blur()


def watched(page: Page, base: str) -> None:
    """Studies that run, their work and their results."""
    study = f"{base}/studies/demo-pairwise/1/"
    pages = {"overview": "", "recruit": "recruit/", "work": "review/", "results": "results/"}
    for name, place in pages.items():
        visit(page, f"{study}{place}")
        # The LLM judges of the demo are analysed behind the grades.
        running = page.locator("form[action$='/cancel/']")
        expect(running).to_have_count(0, timeout=PATIENCE * 1000)
        picture(page, name)
    visit(page, f"{base}/studies/demo-writing/1/review/")
    page.locator("[data-first-work]").click()
    page.wait_for_url(f"{base}/studies/demo-writing/1/review/*/")
    picture(page, "replay")


def worked(page: Page, base: str) -> None:
    """Take the pictures of a worker's pages on a phone."""
    visit(page, f"{base}/s/demo-pairwise/")
    page.locator("[name=agree][value=yes]").click()
    page.locator("main a.button-primary").click()
    expect(page.locator("[data-item='1']")).to_be_visible()
    picture(page, "worker-phone")


if __name__ == "__main__":
    main()
