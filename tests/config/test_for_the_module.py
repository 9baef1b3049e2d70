"""What is made once for a module is committed: no Celery worker of other tests goes on with it."""

import time

import redis
from django.conf import settings

from analysis import tasks
from annotation import jobs
from tests.services.worker import QUEUE


def waiting() -> int:
    return redis.Redis.from_url(settings.CELERY_BROKER_URL).llen(QUEUE)


def test_what_is_made_for_the_module_hands_no_job_to_a_worker(for_the_module):
    before = waiting()
    assert for_the_module(lambda: jobs.send(tasks.prepare, 0)) is False
    assert waiting() == before


def test_and_afterwards_the_broker_takes_them_again(for_the_module, celery_worker):
    for_the_module(lambda: None)
    assert jobs.send(tasks.prepare, 0) is True
    celery_worker.wait_until_idle()


def test_a_worker_rests_where_no_test_asks_for_it(celery_worker):
    celery_worker.rest()
    seen = celery_worker.log.read_bytes()
    for _ in range(2):
        assert jobs.send(tasks.prepare, 0) is True
    time.sleep(1)
    assert waiting() >= 1  # one may have reached it already, and lies there
    assert celery_worker.log.read_bytes() == seen
    celery_worker.wake()
    celery_worker.wait_until_idle()
