"""A task of the tests' own, by which `CeleryWorker` learns that earlier tasks are done.

The worker imports this module when it starts.
"""

import time

import redis
from celery import Task
from celery.signals import task_prerun

from config.celery import app
from tests.services.worker import MARKER

others = 0  # tasks begun in this worker, without markers


@task_prerun.connect
def count(task: "Task[..., None]", **_: object) -> None:
    global others
    others += task.name != MARKER


@app.task(name=MARKER)
def mark(broker: str, key: str) -> None:
    """Store under `key` the number of other tasks that this worker has begun."""
    with redis.Redis.from_url(broker) as client:
        client.set(key, others, ex=600)


@app.task(name="tests.nap")
def nap(seconds: float) -> None:
    """Keep the worker busy."""
    time.sleep(seconds)
