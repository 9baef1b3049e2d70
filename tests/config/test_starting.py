"""What every process of ours loads before it can do anything."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.services.children import ROOT

CODE = """
import sys
import django
django.setup()
import config.urls
print(*sorted({name for name in sys.modules if name.startswith("scipy.")}))
"""


def test_a_command_or_a_server_starts_without_the_statistics_of_scipy():
    done = subprocess.run(
        [sys.executable, "-c", CODE], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = done.stdout.split()
    assert "scipy.version" in loaded  # so that the names are those of scipy
    assert not {"scipy.stats", "scipy.optimize", "scipy.special", "scipy.cluster"} & set(loaded)


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
