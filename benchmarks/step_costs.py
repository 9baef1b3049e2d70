"""CPU seconds and peak memory of each task of a Celery worker that imports this module.

The peak of the process starts again with each task.
"""

import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from celery.signals import task_postrun, task_prerun

from benchmarks.measuring import peak_megabytes

FILE = "STEP_COSTS"  # the variable that names the file with a line a task
PEAK = Path("/proc/self/clear_refs")
began = 0.0


class TaskCost(NamedTuple):
    """Cost of a task: its name, the first argument, CPU seconds and peak megabytes."""

    task: str
    argument: int | None
    computing: float
    megabytes: float


def read(file: Path) -> list[TaskCost]:
    """Return the costs of all tasks that the workers have done."""
    lines = file.read_text().splitlines() if file.exists() else []
    return [TaskCost(*json.loads(line)) for line in lines]


@task_prerun.connect
def begin(**_: Any) -> None:
    global began
    PEAK.write_text("5")
    began = time.process_time()


@task_postrun.connect
def end(task: Any, args: Sequence[Any], **_: Any) -> None:
    argument = args[0] if args else None
    cost = TaskCost(task.name, argument, time.process_time() - began, peak_megabytes())
    with Path(os.environ[FILE]).open("a") as file:
        file.write(json.dumps(cost) + "\n")
