"""Type `make demo` as a newcomer does, open the pages of the example, stop it with Ctrl-C."""

import http.cookiejar
import os
import re
import signal
import subprocess
import sys
import time
import urllib.parse
import urllib.request

browser = urllib.request.build_opener(
    urllib.request.ProxyHandler({}),
    urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()),
)


def open_page(address: str, form: dict[str, str] | None = None) -> str:
    data = urllib.parse.urlencode(form).encode() if form else None
    with browser.open(address, data, timeout=30) as answer:  # raises unless it is well
        return answer.read().decode()


def served(demo: subprocess.Popen[str]) -> str:
    """Return what it said until it served."""
    said = ""
    for line in demo.stdout:
        sys.stdout.write(line)
        sys.stdout.flush()
        said += line
        if line.startswith("Crowdwright runs at"):
            return said
    sys.exit("make demo ended before it served.")


PAGES = {  # address -> a mark that only the right page has
    "": 'href="/studies/demo-pairwise/1/"',
    "studies/demo-pairwise/1/results/": "data-run=",
    "studies/demo-pointwise/1/results/": "data-run=",
    "studies/demo-pairwise/1/machines/": "demo-good-judge",
    "s/demo-pairwise/": "<form",
    "s/demo-pointwise/": "<form",
    "s/demo-writing/": "<form",
    "studies/demo-writing/1/review/": "data-row",
    "studies/demo-prolific/1/review/": "data-row",
    "studies/demo-prolific/1/recruit/prolific/": "<form",
    "studies/demo-prolific/1/recruit/money/": "<table",
}


def look(said: str) -> None:
    """1. Sign in as the researcher. 2. Open all addresses printed. 3. Open the example's pages."""
    home, name, password = re.search(
        r"Researcher: +(\S+) .*user (\w+), password (\S+)\)", said
    ).groups()
    login = urllib.parse.urljoin(home, "/login/")
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', open_page(login))[1]
    form = {"csrfmiddlewaretoken": token, "username": name, "password": password}
    if 'action="/logout/"' not in open_page(login, form):
        sys.exit("The user and the password that make demo prints do not sign in.")
    for address in re.findall(r"^[\w ]+: +(http\S+)", said, re.MULTILINE):
        open_page(address)
    for address, mark in PAGES.items():
        if mark not in open_page(urllib.parse.urljoin(home, address)):
            sys.exit(f"/{address} is not the page that it should be: {mark} is not on it.")
    served_at = re.search(r"runs at http://[^:]+:(\d+)/", said)[1]
    if str(urllib.parse.urlsplit(home).port) != served_at:
        sys.exit(f"make demo names another port than {served_at}, which it serves.")


def main() -> None:
    began = time.monotonic()
    demo = subprocess.Popen(
        ["make", "demo"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        look(served(demo))
        took = time.monotonic() - began
        os.killpg(demo.pid, signal.SIGINT)
        demo.communicate(timeout=30)  # the pipe ends when nothing of it is left
    finally:
        if demo.poll() is None:
            os.killpg(demo.pid, signal.SIGKILL)
    sys.stdout.write(f"make demo was there, with everything that it names, after {took:.0f} s.\n")


main()
