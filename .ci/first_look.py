"""Type `make demo` as a newcomer does, open every page that it names, and stop it with Ctrl-C."""

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


def look(said: str) -> None:
    """1. Log in as the researcher. 2. Read the results. 3. Open all other pages."""
    home, name, password = re.search(
        r"Researcher: (\S+) .*name (\w+), password (\S+)\)", said
    ).groups()
    login = urllib.parse.urljoin(home, "/login/")
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', open_page(login))[1]
    form = {"csrfmiddlewaretoken": token, "username": name, "password": password}
    if "Log out" not in open_page(login, form):
        sys.exit("The name and the password that make demo prints do not log in.")
    addresses = re.findall(r"^(\w+): +(http\S+)", said, re.MULTILINE)
    for what, address in addresses:
        page = open_page(address)
        if what == "Results" and "analysed" not in page:
            sys.exit(f"There is no result at {address}")
    served_at = re.search(r"runs at http://[^:]+:(\d+)/", said)[1]
    if {urllib.parse.urlsplit(address).port for _, address in addresses} != {int(served_at)}:
        sys.exit(f"make demo names other ports than {served_at}, which it serves.")


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
