"""A production-like installation: durable PostgreSQL, Redis, and Celery workers.

Nothing of it outlives the benchmark.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from annotation.texts.plurals import counted
from benchmarks import step_costs
from benchmarks.measuring import in_child
from benchmarks.step_costs import TaskCost
from tests.services.postgres import Postgres
from tests.services.redis import Redis
from tests.services.worker import CeleryWorker

STEP = "analysis.tasks.step"
POLL = 0.1  # seconds


@dataclass(frozen=True)
class Watched:
    """A run to its end: seconds since it was asked for, and the analysis of each step."""

    seconds: float
    steps: dict[int, str]

    def costs(self, tasks: Sequence[TaskCost]) -> str:
        """Return the cost of the steps of each analysis together, the costly ones first."""
        of_analysis: dict[str, list[TaskCost]] = {}
        for cost in tasks:
            if cost.task == STEP and cost.argument in self.steps:
                of_analysis.setdefault(self.steps[cost.argument], []).append(cost)
        rows = [
            (name, sum(cost.computing for cost in each), max(cost.megabytes for cost in each), each)
            for name, each in of_analysis.items()
        ]
        rows.sort(key=lambda row: -row[1])
        return "; ".join(
            f"{name} {computing:.1f} s in {counted(len(each), 'step')}, {megabytes:.0f} MB"
            for name, computing, megabytes, each in rows
        )


class Cost(NamedTuple):
    """Seconds, peak megabytes and CPU seconds of one process, and CPU seconds of PostgreSQL."""

    seconds: float
    megabytes: float
    computing: float
    database: float = float("nan")


@dataclass
class Installation:
    folder: Path
    database: str
    broker: str
    postmaster: int

    def command(self, *arguments: str) -> Cost:
        """Run a management command in its own process."""
        before = server_seconds(self.postmaster)
        (seconds, computing), megabytes = in_child(_command, arguments)
        return Cost(seconds, megabytes, computing, server_seconds(self.postmaster) - before)

    @property
    def costs(self) -> Path:
        """File with the cost of each task of the workers."""
        return self.folder / "costs.jsonl"

    @contextmanager
    def workers(self, number: int) -> Iterator[list[CeleryWorker]]:
        os.environ[step_costs.FILE] = str(self.costs)
        started = [
            CeleryWorker(
                database=self.database,
                broker=self.broker,
                log=self.folder / f"worker{at}.log",
                modules=("tests.services.markers", "benchmarks.step_costs"),
            )
            for at in range(number)
        ]
        try:
            yield started
        finally:
            for worker in started:
                worker.stop()


@contextmanager
def installation() -> Iterator[Installation]:
    """PostgreSQL, Redis, the environment that names them, and an empty database."""
    folder = Path(tempfile.mkdtemp(prefix="crowdwright-bench-", dir="/tmp"))
    folder.chmod(0o711)  # PostgreSQL's own user passes through
    running: list[Postgres | Redis] = []
    try:
        postgres = Postgres(folder / "postgres", durable=True)
        running.append(postgres)
        redis = Redis(folder / "redis")
        running.append(redis)
        address = postgres.url("postgres")
        made = Installation(folder, address, redis.url(), postgres.child.pid)
        os.environ |= {
            "DATABASE_URL": made.database,
            "BROKER_URL": made.broker,
            "CROWDWRIGHT_VAR": str(folder / "var"),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "LOG_LEVEL": "WARNING",
        }
        made.command("migrate", "--verbosity", "0")
        import django

        django.setup()
        yield made
    finally:
        for service in running:
            service.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _command(arguments: tuple[str, ...]) -> tuple[float, float]:
    """In a child: what the command says is not for the results."""
    import django
    from django.core.management import call_command

    with open(os.devnull, "w") as nowhere:
        began = time.perf_counter()  # with Django's start, as somebody who types it waits for it
        django.setup()
        call_command(*arguments, stdout=nowhere, stderr=nowhere)
        return time.perf_counter() - began, sum(os.times()[:4])  # with forks


def watch(study: str, workers: list[CeleryWorker], *, limit: float = 1800) -> Watched:
    """Wait for the run of a study that was just asked for."""
    from analysis.models import AnalysisRun, AnalysisStep

    began = time.perf_counter()
    runs = AnalysisRun.objects.filter(study__slug=study).order_by()
    # one value is read: watching takes CPU from the workers
    while (state := runs.values_list("state", flat=True).first()) in (None, "queued", "running"):
        now = time.perf_counter() - began
        if now > limit or not all(worker.child.is_running() for worker in workers):
            log = workers[0].log.read_text()[-2000:]
            raise SystemExit(f"the analysis did not end in {now:.0f} s:\n{log}")
        time.sleep(POLL)
    if state != "done":
        raise SystemExit(f"the analysis ended as {state}")
    steps = AnalysisStep.objects.filter(run__study__slug=study)
    return Watched(time.perf_counter() - began, dict(steps.values_list("pk", "analysis")))


def server_seconds(postmaster: int) -> float:
    """CPU seconds of PostgreSQL so far, of its ended and its running processes.

    A process that ends while they are read is in neither sum, but in the next one.
    """
    return max(_server_seconds(postmaster) for _ in range(2))


def _server_seconds(postmaster: int) -> float:
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        if path.parent.name == str(postmaster):
            ticks += sum(map(int, fields[11:15]))
        elif int(fields[1]) == postmaster:
            ticks += sum(map(int, fields[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def computed_by(workers: list[CeleryWorker]) -> float:
    """CPU seconds of all workers so far: on a busy machine they say more than the clock."""
    statuses = [Path(f"/proc/{worker.child.pid}/stat") for worker in workers]
    ticks = 0
    for path in statuses:
        if not path.exists():
            return float("nan")
        user, system = path.read_text().rpartition(")")[2].split()[11:13]
        ticks += int(user) + int(system)
    return ticks / os.sysconf("SC_CLK_TCK")


def held_by(made: Installation) -> float:
    """Return the peak memory of the largest task of the workers in MB."""
    return max((cost.megabytes for cost in step_costs.read(made.costs)), default=float("nan"))
