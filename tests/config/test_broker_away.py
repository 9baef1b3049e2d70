"""Redis killed, frozen, or out of memory under real web servers: everybody gets their code."""

import contextlib
import os
import signal
import sys
import time
import urllib.parse
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest
import redis
from django.utils import timezone

from analysis import tasks
from annotation.models import Batch, Study
from judging.answering import recording
from tests.analysis.runs.polls import finished_run
from tests.cast import answer_all, begun, small_study, worker, writing_study
from tests.services.children import PATIENCE as PATIENT
from tests.services.children import Child
from tests.services.redis import Redis
from tests.services.web import BROKER_PATIENCE, BROKER_PAUSE, WebProcess
from tests.services.worker import QUEUE, CeleryWorker
from tests.services.worker import celery as celery_with
from writing.editor import drafting

pytestmark = pytest.mark.django_db(transaction=True)

CODE = "LAMPS-DONE"
THREADS = 2
BEATS = "beats"


@contextlib.contextmanager
def killed(server: Redis):
    server.kill()
    yield
    server.start()


@contextlib.contextmanager
def frozen(server: Redis):
    """Make the server accept connections and never answer."""
    os.kill(server.child.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(server.child.pid, signal.SIGCONT)


@contextlib.contextmanager
def without_memory(server: Redis):
    client = redis.Redis.from_url(server.url())
    client.config_set("maxmemory", 1)
    yield
    client.config_set("maxmemory", 0)
    client.close()


PATIENCE = 3.0  # seconds of a worker and of the clock with a silent socket, instead of ten
# Longer than that; and as long as it takes to ask once more in vain.
AWAY = [(frozen, PATIENCE + 1), (killed, 1.5)]


@pytest.fixture
def web(own_redis, database_url, transactional_db, tmp_path, request):
    process = WebProcess(
        database=database_url,
        broker=own_redis.url(),
        log=tmp_path / "web.log",
        threads=THREADS,
        **getattr(request, "param", {}),
    )
    yield process
    process.stop()


@pytest.fixture
def celery(own_redis, database_url, transactional_db, tmp_path):
    log = tmp_path / "celery.log"
    process = CeleryWorker(
        database=database_url, broker=own_redis.url(), log=log, patience=PATIENCE
    )
    yield process
    process.stop()


@pytest.fixture
def clock(own_redis, tmp_path):
    """Run a clock that ticks twice a second, into a queue that no worker empties."""
    schedule = {"t": {"task": "annotation.tasks.expire", "schedule": 0.5}}
    schedule["t"]["options"] = {"queue": BEATS}
    code = f";app.conf.beat_schedule = {schedule!r}"
    command = [*celery_with(code=code, patience=PATIENCE), "beat"]
    command += ["--schedule", str(tmp_path / "beat"), "--pidfile", ""]
    env = {"BROKER_URL": own_redis.url()}
    process = Child([sys.executable, *command], log=tmp_path / "clock.log", env=env)
    yield process
    process.stop()


def judges(number: int):
    """Everybody on one questionnaire, with nothing left but to hand it in."""
    study = small_study(quota=number, completion_code=CODE, analysis={"draws": 50})
    works = [begun(study, worker(f"judge {at}"), now=timezone.now()) for at in range(number)]
    for work in works:
        answer_all(work, now=timezone.now())
    return study, [f"/w/{work.token}/judging/finish/" for work in works]


def writers(number: int) -> list[str]:
    study = writing_study(topics=number, completion_code=CODE)
    Study.objects.filter(pk=study.pk).update(exit_form=[])
    works = [begun(study, worker(f"writer {at}"), now=timezone.now()) for at in range(number)]
    for work in works:
        drafting.acknowledge(assignment=work, now=timezone.now(), answers={})
    return [f"/w/{work.token}/writing/finish/" for work in works]


def allowed(web: WebProcess) -> float:
    """Return how many seconds handing in may take: ten, and more where others use the machine."""
    began = time.monotonic()
    urllib.request.urlopen(f"{web.url}/login/", timeout=PATIENT).close()
    return 10 + 20 * (time.monotonic() - began)


def hand_in(address: str) -> tuple[str, float]:
    """Return the page at the end, and how long it took."""
    began = time.monotonic()
    body = urllib.parse.urlencode({"text": "Lamps shine [1]."}).encode()
    with urllib.request.urlopen(address, body, timeout=PATIENT) as answer:
        return answer.read().decode(), time.monotonic() - began


def hand_in_all(addresses: list[str]) -> list[tuple[str, float]]:
    """Send one request for each thread of the server at once, so that none waits in a queue."""
    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(hand_in, addresses))


@pytest.mark.parametrize("away", [killed, frozen, without_memory])
def test_the_last_judge_gets_the_code_and_the_batch_is_analysed_later(
    own_redis, web, away, celery_worker
):
    study, (address,) = judges(1)
    most = allowed(web)
    with away(own_redis):
        page, seconds = hand_in(web.url + address)
    assert CODE in page
    assert seconds < most
    assert study.batches.get().state == Batch.State.CLOSED
    log = web.log.read_text()
    assert "the broker cannot be reached" in log
    assert "Traceback" not in log
    tasks.sweep()  # what the clock asks for every 30 s; here by a broker that answers
    assert finished_run(study=study).state == "done"


@pytest.mark.parametrize("web", [{BROKER_PAUSE: "600"}], ids=["long pause"], indirect=True)
@pytest.mark.parametrize("away", [killed, frozen])
def test_a_broker_that_is_away_does_not_cost_each_writer_its_time_out(own_redis, web, away):
    addresses = [web.url + writer for writer in writers(12)]
    most = allowed(web)
    with away(own_redis):
        answers = hand_in_all(addresses)
    assert len(answers) == 12
    assert all(CODE in page for page, _ in answers)
    # Each thread waits once at most; afterwards nobody asks.
    assert max(seconds for _, seconds in answers) < most
    assert web.log.read_text().count("the broker cannot be reached") <= THREADS


@pytest.mark.parametrize("web", [{BROKER_PATIENCE: "5"}], ids=["patient"], indirect=True)
def test_jobs_are_handed_over_again_when_the_broker_is_back(own_redis, web):
    first, second, third = writers(3)
    client = redis.Redis.from_url(own_redis.url())
    hand_in(web.url + first)
    assert client.llen(QUEUE) == 1
    own_redis.kill()
    own_redis.start()
    hand_in(web.url + second)  # over a new connection, without losing the message
    assert client.llen(QUEUE) == 2
    with frozen(own_redis):
        hand_in(web.url + third)
    client.close()


def test_worker_and_clock_live_through_a_frozen_and_a_killed_broker(own_redis, celery, clock):
    """One test, because most of it is waiting."""
    with contextlib.closing(redis.Redis.from_url(own_redis.url())) as client:
        clock.wait_until(lambda: client.llen(BEATS) > 0)
        for away, seconds in AWAY:
            with away(own_redis):
                time.sleep(seconds)
            before = client.llen(BEATS)
            clock.wait_until(lambda before=before: client.llen(BEATS) > before)
    study, _ = judges(1)
    Batch.objects.filter(study=study).update(state=Batch.State.CLOSED, closed_at=timezone.now())
    work = study.assignments.get()
    recording.submit(assignment=work, now=timezone.now())
    with tasks.sweep.app.connection_for_write(own_redis.url()) as broker:
        tasks.sweep.apply_async(connection=broker)
    celery.wait_until_idle()
    assert celery.child.is_running()
    assert finished_run(study=study).state == "done"
