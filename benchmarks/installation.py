"""A production-like installation: durable PostgreSQL, Redis, and Celery workers.

Nothing of it outlives the benchmark.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from benchmarks import step_costs
from benchmarks.measuring import in_child
from tests.services.postgres import Postgres
from tests.services.redis import Redis
from tests.services.worker import CeleryWorker

POLL = 0.05  # seconds: how exactly the times of steps are known


@dataclass
class Step:
    """A step of an analysis as it was watched from outside; seconds since watching began."""

    analysis: str
    question: str
    began: float
    ended: float = 0.0

    @property
    def seconds(self) -> float:
        return self.ended - self.began


@dataclass
class Watched:
    """A run from being asked for to its end."""

    seconds: float = 0.0
    state: str = ""
    steps: dict[int, Step] = field(default_factory=dict)

    def by_analysis(self) -> list[tuple[str, int, float, float]]:
        """Analysis, steps, seconds of all of them, of the longest; the costly ones first."""
        names = {step.analysis for step in self.steps.values()}
        rows = []
        for name in names:
            each = [step.seconds for step in self.steps.values() if step.analysis == name]
            rows.append((name, len(each), sum(each), max(each)))
        return sorted(rows, key=lambda row: -row[2])


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
        return time.perf_counter() - began, time.process_time()


def watch(study: str, workers: list[CeleryWorker], *, limit: float = 1800) -> Watched:
    """Wait for the run of a study that was just asked for, and note when its steps ran."""
    from analysis.models import AnalysisRun, AnalysisStep

    began = time.perf_counter()
    seen = Watched()
    while not seen.state:
        now = time.perf_counter() - began
        # little is asked for, since it takes the workers' processors
        runs = AnalysisRun.objects.filter(study__slug=study)
        run, state, finished = runs.values_list("pk", "state", "finished_at").first() or (None,) * 3
        steps = AnalysisStep.objects.filter(run=run).values_list("pk", "analysis", "question")
        under_way = set()
        for pk, analysis, question in steps.filter(state="running"):
            seen.steps.setdefault(pk, Step(analysis, question, now))
            under_way.add(pk)
        for pk in seen.steps.keys() - under_way:
            seen.steps[pk].ended = seen.steps[pk].ended or now
        if finished:
            seen.seconds, seen.state = now, state
            for pk, analysis, question in steps:  # some were too short to be seen
                seen.steps.setdefault(pk, Step(analysis, question, now, now))
        if now > limit or not all(worker.child.is_running() for worker in workers):
            log = workers[0].log.read_text()[-2000:]
            raise SystemExit(f"the analysis did not end in {now:.0f} s:\n{log}")
        time.sleep(POLL)
    if seen.state != "done":
        raise SystemExit(f"the analysis ended as {seen.state}")
    return seen


def server_seconds(postmaster: int) -> float:
    """CPU seconds of PostgreSQL so far, of its ended and its running processes."""
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
