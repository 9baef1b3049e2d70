"""The demo world that pages and files are taken from: made once, copied, with a stopped clock."""

import contextlib
import datetime
import hashlib
import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
MOMENT = "moment"  # file of the second at which the clock of a world stopped
RESEARCHER = "rita"  # the administrator of the demo
NOWHERE = "http://127.0.0.1:9/"  # nothing listens on this port
STUDY_LINK = re.compile(r"/s/[^\"'/\s?<]+/")
BEGUN_WORK = re.compile(r"/w/([^/]+)/")
OFFERED_METHOD = re.compile(r'name="of" value="([a-z]+/[^"]*)"')
DRAFT = re.compile(r"/drafts/(\d+)/")
ANALYSED = (
    ("demo-pairwise",),
    ("demo-pointwise",),
    ("demo-writing",),
    ("demo-pairwise", "--pool", "models"),
)


def environment(var: Path, **others: str) -> dict[str, str]:
    """Return the environment of a process whose files are below `var`."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "PG_BIN") if name in os.environ}
    return kept | {
        "CROWDWRIGHT_VAR": str(var),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "LOG_LEVEL": "ERROR",
        "PROLIFIC_URL": NOWHERE,
        "PYTHONHASHSEED": "0",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "LC_ALL": "C.UTF-8",
        **others,
    }


def run(*command: str | Path, env: dict[str, str]) -> str:
    """Run a command to its end and return what it printed. Raises SystemExit if it failed."""
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    if done.returncode != 0:
        words = " ".join(map(str, command[1:]))
        raise SystemExit(f"{words} failed:\n{done.stdout[-3000:]}\n{done.stderr[-6000:]}")
    return done.stdout


def make(folder: Path) -> str:
    """Make a world and return what the demo printed."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return run(sys.executable, "manage.py", "demo", "--no-serve", env=environment(folder))


def furnish(folder: Path) -> None:
    """Add what no demo has: drafts, an upload, trials, open work, runs of other raters."""
    from django.core.management import call_command

    # The runs that results.py looks for. Those of the demo itself are of closed studies, whose
    # batch for visitors is open now.
    with open(os.devnull, "w") as nowhere:
        for arguments in ANALYSED:
            call_command("analyse", *arguments, stdout=nowhere)
    client = signed_in()
    offered = client.get("/methods/?show=all").text
    _post(client, "/uploads/example/")
    _post(client, "/uploads/new/", {"name": "Another corpus"})
    tried = []
    for method in sorted(set(OFFERED_METHOD.findall(offered))):
        for language in ("", "de"):
            fields = {"of": method, "corpus": "demo", "language": language}
            answer = _post(client, "/drafts/begin/", fields)
            if language and "crowdrag" in method:
                tried.append(answer)
    links = set()
    for study in ("demo-pairwise", "demo-pointwise", "demo-writing"):
        links |= set(STUDY_LINK.findall(client.get(f"/studies/{study}/1/").text))
        tried.append(_post(client, f"/studies/{study}/1/new-version/"))
    for answer in tried:
        try_draft(client, answer["Location"])
    for link in sorted(links):
        begin_work(link)
    (folder / MOMENT).write_text(f"{int(time.time()) + 2}\n")


def try_draft(client: Any, draft: str) -> None:
    """Make a trial of a draft and fill in one work of it."""
    trial = f"{draft[: DRAFT.search(draft).end()]}try/"
    if client.post(trial).status_code != 302:  # some methods lack an answer of the researcher
        return
    for link in sorted(set(STUDY_LINK.findall(client.get(trial).text))):
        token = begin_work(link)
        entry = f"/w/{token}/writing/entry/"
        client.post(entry, filled(client.get(entry).text))
        for kind in ("judging", "writing"):  # the other one answers with 404
            client.post(f"/w/{token}/{kind}/rest/")


def begin_work(link: str) -> str:
    """Follow the link of a study, agree, and return the token of the work."""
    from django.test import Client

    client = Client(HTTP_HOST="localhost")
    page = client.get(link).text
    hidden = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', page))
    answer = client.post(link, {**hidden, "agree": "yes"})
    begun = BEGUN_WORK.search(answer.get("Location", ""))
    if begun is None:
        raise SystemExit(f"{link} gave no work: {answer.status_code}\n{answer.text[-3000:]}")
    return begun[1]


def filled(page: str) -> dict[str, str]:
    """Return some answer to each field of a form, the first choice of each group."""
    fields: dict[str, str] = {}
    for tag in re.findall(r"<(?:input|textarea|select)\b[^>]*>", page):
        given = dict(re.findall(r'\b(name|type|value)="([^"]*)"', tag))
        words = {"number": "30", "email": "a@example.org"}.get(given.get("type", ""), "Some words")
        if tag.startswith("<select"):
            options = page.partition(tag)[2].partition("</select>")[0]
            words = next(iter(re.findall(r'value="([^"]+)"', options)), "")
        fields.setdefault(given.get("name", ""), given.get("value") or words)
    return fields


def _post(client: Any, path: str, fields: dict[str, str] | None = None) -> Any:
    answer = client.post(path, fields or {})
    if answer.status_code != 302:
        raise SystemExit(f"POST {path} {fields} answered {answer.status_code}")
    return answer


def signed_in() -> Any:
    """Return a client of the demo's administrator."""
    from django.contrib.auth import get_user_model
    from django.test import Client

    client = Client(HTTP_HOST="localhost")
    client.force_login(get_user_model().objects.get(username=RESEARCHER))
    return client


@contextlib.contextmanager
def copied(world: Path) -> Iterator[Path]:
    """Copy a world for one process."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="crowdwright-unchanged-") as folder:
        copy = Path(folder) / "demo"
        shutil.copytree(world / "demo", copy)
        shutil.copy(world / MOMENT, copy / MOMENT)
        yield copy


# -- A stopped clock and seeded randomness -------------------------------------------------------


class _Randomness:
    """Bytes in place of the system's random ones."""

    def __init__(self) -> None:
        self.generator = random.Random(0)

    def __call__(self, size: int) -> bytes:
        return self.generator.randbytes(size)


_RANDOMNESS = _Randomness()


def seed(text: str) -> None:
    """Let all randomness follow from `text` until the next call."""
    number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    _RANDOMNESS.generator.seed(number)
    random.seed(number)


def stop_clock(moment: int) -> None:
    """Stop the clock of this process at a second since 1970, and make randomness follow seeds.

    Stopwatches go on (`time.monotonic`).
    """
    import django.contrib.humanize.templatetags.humanize as humanize
    from django.utils import timesince, timezone

    stopped = datetime.datetime.fromtimestamp(moment, datetime.UTC)

    class Stopped(datetime.datetime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> datetime.datetime:
            return stopped.astimezone(tz) if tz else stopped.replace(tzinfo=None)

    class Module:
        datetime = Stopped

        def __getattr__(self, name: str) -> Any:
            return getattr(datetime, name)

    time.time = partial(float, moment)  # a lambda would become a method of a class
    timezone.now = lambda: stopped
    humanize.datetime = Stopped
    timesince.datetime = Module()
    os.urandom = _RANDOMNESS
    random._urandom = _RANDOMNESS


def enter() -> None:
    """Begin Django in the copied world that CROWDWRIGHT_VAR names."""
    import django

    django.setup()
    var = Path(os.environ["CROWDWRIGHT_VAR"])
    stop_clock(int((var / MOMENT).read_text()))
    from celery import current_app
    from django.core.cache import cache

    current_app.conf.task_always_eager = True
    cache.clear()  # nothing that the old code drew is shown again
