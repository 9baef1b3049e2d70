"""What every process of ours loads before it can do anything."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.services.children import ROOT

CODE = """
import sys
{first}
import config.urls
print(*sorted(sys.modules))
"""
COMMAND = "import django; django.setup()"
SERVER = "import config.wsgi"


def loaded(first):
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(first=first)],
        cwd=ROOT,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_a_command_starts_without_what_analyses_need():
    modules = loaded(COMMAND)
    assert "django.urls" in modules  # so that the names are those of modules
    assert not {"pandas", "scipy", "choix", "analysis.runs.running"} & modules


def test_a_command_that_checks_templates_does_without_it_too():
    modules = loaded(f"{COMMAND}; from django.core.checks import run_checks; run_checks()")
    assert "analysis.templatetags.explained" in modules
    assert not {"pandas", "scipy", "choix", "analysis.runs.running"} & modules


def test_nobody_looks_for_garbage_while_a_process_starts_and_when_it_ends():
    last = "lambda: print(gc.get_threshold()[0], gc.get_freeze_count())"  # after those of config
    code = f"import atexit, gc; atexit.register({last}); import config"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    threshold, kept = map(int, done.stdout.split())
    assert threshold >= 50_000
    assert kept > 10_000


def test_a_server_has_loaded_its_pages_before_the_first_request():
    modules = loaded(SERVER)
    assert {"pandas", "analysis.pages.results.views", "analysis.pages.exports.views"} <= modules
    assert not {"scipy.stats", "scipy.optimize", "scipy.special", "scipy.cluster"} & modules


def test_a_worker_has_loaded_statistics_before_its_pool_forks():
    begin = "from celery.signals import worker_init; worker_init.send(sender=None)"
    modules = loaded(f"{COMMAND}; import config.celery; {begin}")
    assert {"scipy.stats", "analysis.stats.text.readability"} <= modules


AT_ONCE = """
import sys, threading
{first}
import msgspec
from judging.answering.views import AnswersIn
sys.setswitchinterval(1e-6)
body = b'{{"tab": "", "answers": [{{"position": 1, "question": "better", "raw": "n"}}]}}'
together = threading.Barrier(10)
def read():
    together.wait()
    assert msgspec.json.decode(body, type=AnswersIn).answers[0].raw == "n"
threads = [threading.Thread(target=read) for _ in range(10)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_the_first_messages_at_once_do_not_crash_a_server():
    """Without preparation msgspec crashes nine times in ten."""
    code = AT_ONCE.format(first=SERVER)
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings"},
        check=False,
    )
    assert done.returncode == 0


THREADS = """
import {first}
import os
import numpy
square = numpy.ones((600, 600))
square @ square
print(len(os.listdir("/proc/self/task")), os.environ["OPENBLAS_NUM_THREADS"])
"""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted by Linux")
@pytest.mark.parametrize("first", ["config.celery", "config.settings"])
def test_linear_algebra_has_one_thread_in_workers_and_commands(first):
    said = {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"}
    done = subprocess.run(
        [sys.executable, "-c", THREADS.format(first=first)],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name not in said},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["1", "1"]
