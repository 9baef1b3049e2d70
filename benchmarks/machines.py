"""How fast calls to models go out, and whether each is answered and paid once when all is killed.

    .venv-bench/bin/python -m benchmarks.machines [--calls 10000] [--kills 3]

A real PostgreSQL (durable), our endpoint of models as a process of its own that keeps its ledger in
a file, and `manage.py rate` as another. First a judge answers with nobody in its way. Then another
one answers as many calls while its process and the endpoint are killed (-9) by turns and started
again; then the same job runs once more. What was answered and charged is counted by the endpoint.
Traffic goes to this machine alone and stops by itself.
"""

import argparse
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from benchmarks.reporting import Row, load_now, report

RESPONSES = 8  # of a topic: 28 pairs, 56 calls in both orders
AT_ONCE = 32  # calls
A_MINUTE = 10_000
PATIENCE = 1800.0  # seconds for a whole job


@dataclass
class Endpoint:
    """Our endpoint as a process that can be killed and started again at the same port."""

    ledger: Path
    log: Path
    port: int = 0
    process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "manage.py", "fake_endpoint"),
                    *("--port", str(self.port), "--ledger", str(self.ledger)),
                ],
                stdout=subprocess.PIPE, stderr=log, text=True,
            )  # fmt: skip
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        self.port = int(said.split(":")[2].split("/")[0])

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def counts(self) -> dict[str, int]:
        found: dict[str, int] = httpx.get(f"http://127.0.0.1:{self.port}/fake/counts").json()
        return found


def prepare(calls: int) -> Any:
    """Create a study whose pairs in both orders need this many calls."""
    from tests.cast import small_corpus, small_study

    topics = -(-calls // (RESPONSES * (RESPONSES - 1)))
    corpus = small_corpus(topics=topics, responses=RESPONSES)
    return small_study(corpus=corpus, items=28)


def rate(study: Any, judge: str, log: Path) -> "subprocess.Popen[bytes]":
    with log.open("ab") as file:
        return subprocess.Popen(
            [sys.executable, "manage.py", "rate", study.slug, judge], stdout=file, stderr=file
        )


def undisturbed(study: Any, name: str, log: Path) -> tuple[float, float]:
    """Seconds of a whole job, from the start of its process to its end, and those it computed."""
    began, before = time.perf_counter(), computed()
    process = rate(study, name, log)
    if process.wait(PATIENCE):
        raise SystemExit(f"rate failed: {log.read_text()[-2000:]}")
    return time.perf_counter() - began, computed() - before


def computed() -> float:
    """CPU seconds of the processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def killed(study: Any, judge: Any, endpoint: Endpoint, kills: int, log: Path) -> int:
    """Run a job while process and endpoint are killed in turn; return how often each was."""
    from django.utils import timezone

    from judging.models import MachineCall, MachineJudge

    calls = MachineCall.objects.filter(judge=judge)
    total = 2 * study.items.count()
    process = rate(study, judge.name, log)
    deadline, done = time.monotonic() + PATIENCE, 0
    while time.monotonic() < deadline:
        if process.poll() is not None:
            judge.refresh_from_db()
            if judge.state == MachineJudge.State.DONE:
                return done
            # Whoever held the judge was killed: others wait until that is sure.
            held = (judge.held_until - timezone.now()).total_seconds() if judge.held_until else 0
            time.sleep(max(held, 0.2))
            process = rate(study, judge.name, log)
        if done < kills and calls.filter(state="answered").count() > total * (done + 1) / (
            kills + 1
        ):
            process.kill()
            process.wait()
            endpoint.kill()
            endpoint.start()
            done += 1
        time.sleep(0.05)
    raise SystemExit(f"not done after {PATIENCE:.0f} s: {log.read_text()[-2000:]}")


@contextmanager
def services() -> Iterator[tuple[Path, Endpoint]]:
    """PostgreSQL, and our endpoint; both end with this."""
    from tests.services.postgres import Postgres

    folder = Path(tempfile.mkdtemp(prefix="crowdwright-bench-"))
    folder.chmod(0o711)
    postgres = Postgres(folder / "postgres", durable=True)
    endpoint = Endpoint(folder / "ledger", folder / "endpoint.log")
    try:
        os.environ |= {
            "DATABASE_URL": postgres.url("postgres"),
            "CROWDWRIGHT_VAR": str(folder / "var"),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "LOG_LEVEL": "WARNING",
            "ENDPOINTS_INSIDE": "1",
        }
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        endpoint.start()
        yield folder, endpoint
    finally:
        if endpoint.process is not None:
            endpoint.kill()
        postgres.stop()
        shutil.rmtree(folder, ignore_errors=True)


def measure(folder: Path, endpoint: Endpoint, wanted: int, kills: int) -> list[Row]:
    from judging.models import MachineCall
    from tests.judging.machines.cast import machine

    study = prepare(wanted)
    calls = 2 * study.items.count()
    terms = {"at_most": AT_ONCE, "repeats": True}
    log = folder / "rate.log"
    machine(study, endpoint.url, name="quick", model="good", terms=terms)
    seconds, cpu = undisturbed(study, "quick", log)
    before = endpoint.counts()
    judge = machine(study, endpoint.url, name="killed", model="guess", terms=terms)
    done = killed(study, judge, endpoint, kills, log)
    after = endpoint.counts()
    undisturbed(study, "killed", log)
    again = endpoint.counts()
    answered = MachineCall.objects.filter(judge=judge, state="answered").count()
    charged = after["charged"] - before["charged"]
    of = f"{calls:,} calls, {AT_ONCE} at the same time"
    return [
        Row(
            what="calls a minute, process start and judgments included",
            n=of,
            ours=calls / seconds * 60,
            unit="",
            least=A_MINUTE,
            remark=f"{seconds:.1f} s, of which the worker computed {cpu:.1f} s",
        ),
        Row(
            what="answered, of 100 calls",
            n=f"{of}; worker and endpoint killed {done} times each",
            ours=100 * answered / calls,
            unit="",
            least=100,
        ),
        Row(
            what="paid, of 100 calls",
            n=f"{of}; worker and endpoint killed {done} times each",
            ours=100 * charged / calls,
            unit="",
            least=100,
            most=100,
            remark=f"{after['charged_twice']} paid twice",
            void=after["charged_twice"] > 0,
        ),
        Row(
            what="paid when the same job runs again",
            n=of,
            ours=again["charged"] - after["charged"],
            unit="",
            most=0,
        ),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--kills", type=int, default=3)
    options = parser.parse_args()
    busy = load_now()
    with services() as (folder, endpoint):
        rows = measure(folder, endpoint, options.calls, options.kills)
    report("machines", rows, load=busy)


if __name__ == "__main__":
    main()
