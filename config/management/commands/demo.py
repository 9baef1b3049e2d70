"""`python manage.py demo`: studies from arriving workers to grades, then the server."""

import os
import threading
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from analysis import tasks
from analysis.inputs.definition import offered_analyses
from analysis.models import AnalysisRun, AnalysisStep
from analysis.runs import requesting
from annotation.clock import database_now
from annotation.fieldwork.platforms.fake_prolific.running import FakeProlific
from annotation.fieldwork.platforms.fake_prolific.signing import WORKSPACE
from annotation.fieldwork.recruiting.prolific import saving_webhook_secrets
from annotation.models import Assignment, Corpus, Study
from config import demo_world, demonstrating, demonstrating_judges, demonstrating_prolific
from config.processes import ChildProcess, accepts, check_port, end_within
from config.secrets import secret
from config.serving import start_part, worker_part
from judging.calls.fake.running import FakeEndpoint
from judging.models import MachineJudge

PATIENCE = 120  # seconds in which the worker does nothing at all
SWEEP = 30  # seconds, as the clock of `serve` does: a sweep that comes sooner only makes a queue


class Command(BaseCommand):
    help = (
        "Set up a complete example and serve it: two analysed studies with votes by "
        "simulated workers and LLM judges, a study with simulated writers, and a study that "
        "recruits on a simulated Prolific. All data is in the folder `demo` of "
        "CROWDWRIGHT_VAR. Other installations aren't affected."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--port", type=int, help="port of the site (default: the first free from 8000)"
        )
        parser.add_argument(
            "--no-serve", action="store_true", help="stop once the example is set up"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        folder = settings.VAR_DIR
        if not demo_world.is_entered(folder):
            raise CommandError("The demo uses its own folder. Run it as `manage.py demo`.")
        try:
            with demo_world.held(folder):
                self._show(**options)
        except demo_world.DemoRuns as error:
            raise CommandError(
                f"The demo is already running (folder {folder}). Stop it with Ctrl-C first."
            ) from error

    def _show(self, **options: Any) -> None:
        began = time.monotonic()
        self._say("Setting up the example, about 20 seconds…")
        port = 0 if options["no_serve"] else self._port(options["port"])
        settings.PUBLIC_URL = f"http://localhost:{port or 8000}"
        call_command("migrate", interactive=False, verbosity=0)
        password = secret(settings.VAR_DIR / "demo-password", size=9)
        rita = demonstrating.researcher(password)
        corpus = demonstrating.corpus(settings.BASE_DIR / "annotation" / "demo", owner=rita)
        studies = [
            demonstrating.study(slug=slug, corpus=corpus, owner=rita, now=database_now())
            for slug in (demonstrating.PAIRWISE, demonstrating.POINTWISE)
        ]
        with _worker() as worker:
            # The smaller one first: it is analysed while the crowd fills the larger one.
            for study in reversed(studies):
                if not demonstrating.is_filled(study):
                    demonstrating.fill(study=study, now=database_now())
            runs = [self._finished(study, worker) for study in studies]
        workers = Assignment.objects.filter(
            study__in=studies, task__batch__number=1, submitted_at__isnull=False
        )
        self._say(
            f"{workers.count()} simulated workers judged {corpus.responses.count()} responses "
            f"to {corpus.topics.count()} topics in {len(studies)} studies."
        )
        for line in demonstrating.grade_lines(runs[0]):
            self._say(line)
        for study in studies:
            demonstrating.reopen_for_visitors(study=study, now=database_now())
        self._write(corpus, rita)
        with _endpoint() as endpoint, _prolific() as fake:
            self._judge(studies[0], endpoint, rita)
            recruited = self._recruit(corpus, rita, fake)
            self._say(
                f"Ready after {time.monotonic() - began:.0f} s. "
                f"To start over, delete {settings.VAR_DIR}."
            )
            if not options["no_serve"]:
                site = settings.PUBLIC_URL
                self._say(f"Researcher:     {site}/  (user {rita.username}, password {password})")
                self._say(f"Participant:    {site}{studies[0].public_path}")
                self._say(f"Trial Prolific: {fake.site}/")
                _once_served(port, partial(demonstrating_prolific.news, study=recruited, fake=fake))
                call_command("serve", port=port, no_migrate=True, stdout=self.stdout)

    def _port(self, wanted: int | None) -> int:
        """Return a usable port, checked before the work begins."""
        if port := _free([wanted] if wanted else range(8000, 8100)):
            return port
        tried = wanted or "8000-8099"
        raise CommandError(f"Port {tried} isn't available. Choose another with --port.")

    def _write(self, corpus: Corpus, rita: User) -> None:
        """After the judging studies, which then have no accepted text among their items."""
        now = database_now()
        study = demonstrating.writing_study(corpus=corpus, owner=rita, now=now)
        demonstrating.fill_writing(study=study, now=now)

    def _judge(self, study: Study, endpoint: FakeEndpoint, rita: User) -> None:
        """Have two models judge what people judged; the running site analyses it."""
        endpoint.known.learn(
            demonstrating_judges.qualities(study=study, seed=demonstrating.CROWD_SEED)
        )
        judges = demonstrating_judges.judges(
            study=study, url=endpoint.url, by=rita, now=database_now()
        )
        for judge in judges:
            has_judged = demonstrating_judges.judge(judge=judge, by=rita)
            if judge.state != MachineJudge.State.DONE:
                reason = judge.said or "another process is running it; try again in 30 s"
                raise CommandError(f"{judge.name} hasn't judged all items: {reason}.")
            if has_judged:
                requesting.ask(study=study, pool=demonstrating_judges.POOL)

    def _recruit(self, corpus: Corpus, rita: User, fake: FakeProlific) -> Study:
        """Return a study on the trial Prolific, linked to the current port."""
        study = demonstrating_prolific.study(
            corpus=corpus, owner=rita, fake=fake, now=database_now()
        )
        demonstrating_prolific.point_at(study=study, fake=fake)
        return study

    def _finished(self, study: Study, worker: ChildProcess) -> AnalysisRun:
        """Wait for as long as the worker gets on; hand out again what got lost on the way."""
        last_progress, moved = demonstrating.progress(), time.monotonic()
        swept = moved
        while not (run := study.runs.newest_finished()):
            if AnalysisRun.objects.filter(study=study, state=AnalysisRun.State.FAILED).exists():
                raise CommandError(f"The analysis of {study.slug!r} failed. See the log.")
            if (code := worker.poll()) is not None:
                raise CommandError(
                    f"The worker stopped (exit code {code}); see its output above. Run `make demo` "
                    "again to continue."
                )
            if _help(study):
                continue
            now = time.monotonic()
            if (progress := demonstrating.progress()) != last_progress:
                last_progress, moved = progress, now
            if now - moved > PATIENCE:
                raise CommandError(f"The worker made no progress for {PATIENCE} s.")
            if now - swept > SWEEP:
                swept = now
                tasks.sweep()
            time.sleep(0.2)
        return run

    def _say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()


def _free(ports: Iterable[int]) -> int:
    """Return the first usable port, or 0."""
    for port in ports:
        try:
            check_port("127.0.0.1", port)
        except OSError:
            continue
        return port
    return 0


@contextmanager
def _endpoint() -> Iterator[FakeEndpoint]:
    """Our endpoint of models, which this server may call, as long as the demo runs."""
    os.environ.setdefault("ENDPOINTS_INSIDE", "1")  # for the server and its worker
    settings.MACHINE_ENDPOINTS_INSIDE = True
    endpoint = FakeEndpoint().start(port=_free(range(8200, 8300)))
    try:
        yield endpoint
    finally:
        endpoint.stop()


@contextmanager
def _prolific() -> Iterator[FakeProlific]:
    """Run our fake Prolific, which pays nobody and stores its state beside the database.

    This process, the server and its worker use it as the real one while the demo runs.
    """
    fake = FakeProlific(token="trial", book=settings.VAR_DIR / "prolific.json")
    fake.start(port=_free(range(8300, 8400)))
    environment = {
        "PROLIFIC_URL": fake.url,
        "PROLIFIC_SITE": fake.site,
        "PROLIFIC_TOKEN": "trial",
        "PROLIFIC_WORKSPACE": WORKSPACE,
    }
    for name, value in environment.items():
        os.environ[name] = value
        setattr(settings, name, value)
    secret = fake.tell(f"{settings.PUBLIC_URL}/hooks/prolific/")
    saving_webhook_secrets.keep(workspace=WORKSPACE, secret=secret, now=database_now())
    os.environ["RECRUITING_DRY_RUN"], settings.RECRUITING_DRY_RUN = "0", False
    try:
        yield fake
    finally:
        fake.stop()


def _once_served(port: int, happens: Callable[[], None]) -> None:
    """Run once the site answers, in a thread that ends with this process."""

    def wait() -> None:
        while not accepts("127.0.0.1", port):
            time.sleep(0.2)
        happens()

    threading.Thread(target=wait, daemon=True).start()


def _help(study: Study) -> bool:
    """Do one step that waits for the worker, from the other end of its queue."""
    queued = AnalysisStep.objects.filter(run__study=study, state=AnalysisStep.State.QUEUED)
    step = queued.order_by("-pk").values_list("pk", flat=True).first()
    if step is not None:
        tasks.step(step)
    return step is not None


@contextmanager
def _worker() -> Iterator[ChildProcess]:
    """Run a Celery worker beside this process, as in production."""
    offered_analyses()  # imported once for both
    connections.close_all()
    process = start_part(worker_part("WARNING"), env={}, cwd=settings.BASE_DIR, quiet=True)
    try:
        yield process
    finally:
        process.terminate()
        end_within(process, 10)
