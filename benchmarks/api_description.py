"""Check that the API does what its description says: `python -m benchmarks.api_description`.

An argument names a folder that keeps the environment. The packages schemathesis and
openapi-python-client are installed from PyPI into an environment of their own. A client is
generated from the description, and schemathesis sends generated requests to a server of a
simulated study: no answer may be a server error, or have an undescribed status. A check
without times; it needs the network.
"""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.other_packages import exported, python_of

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance"
EXAMPLES = 20  # requests made up for each operation
SECONDS = 900  # after which the run ends itself


def compare() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        exported(folder)  # which also makes the database, with two studies
        secret = _key()
        environments = Path(sys.argv[1] if len(sys.argv) > 1 else name).absolute()
        programs = python_of("api", environments).parent
        description = folder / "description.json"
        with description.open("w") as file:
            manage = [sys.executable, "manage.py", "spectacular", "--format", "openapi-json"]
            subprocess.run(manage, check=True, stdout=file)
        faults = _generates(programs, description, folder / "client")
        with _served() as url:
            faults += _holds(programs, description, url, secret)
    print("; ".join(faults) or "a client is generated, and all answers are as described")
    return len(faults)


def _key() -> str:
    from django.utils import timezone

    from annotation.people.access import making_keys
    from tests.cast import rita

    _, secret = making_keys.make_key(
        user=rita(), name="check", scopes=making_keys.SCOPES, now=timezone.now()
    )
    return secret


def _generates(programs: Path, description: Path, out: Path) -> list[str]:
    generate = [
        *(programs / "openapi-python-client", "generate", "--path", description),
        *("--output-path", out, "--meta", "none", "--fail-on-warning"),
    ]
    environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}"}
    done = subprocess.run(generate, capture_output=True, text=True, env=environment)
    return [f"no client: {done.stdout[-1000:]}{done.stderr[-500:]}"] if done.returncode else []


@contextmanager
def _served() -> Iterator[str]:
    """Serve the database that `exported` made."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "manage.py", "runserver", "--noreload", f"127.0.0.1:{port}"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(100):
            try:
                urllib.request.urlopen(f"{url}/api/schema/", timeout=2)
            except urllib.error.HTTPError:  # it asks who is there
                break
            except OSError:
                time.sleep(0.3)
        yield url
    finally:
        server.terminate()
        server.wait()


def _holds(programs: Path, description: Path, url: str, secret: str) -> list[str]:
    done = subprocess.run(
        [
            *(programs / "schemathesis", "run", description, "--url", url),
            *("--header", f"Authorization: Bearer {secret}", "--checks", CHECKS),
            *("--max-examples", str(EXAMPLES), "--phases", "examples,coverage,fuzzing"),
            *("--seed", "1", "--continue-on-failure", "--no-color"),
        ],
        capture_output=True, text=True, timeout=SECONDS, cwd=description.parent,
    )  # fmt: skip
    print(done.stdout)
    return [f"schemathesis: {done.stderr[-500:]}"] if done.returncode else []


if __name__ == "__main__":
    sys.exit(compare())
