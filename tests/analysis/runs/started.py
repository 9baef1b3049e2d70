"""Runs and their steps, as tests of running look at them."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from django.db import connection
from django.utils import timezone

from analysis.models import AnalysisStep, Result
from analysis.runs import running


def start(study, **how):
    """Return a run that has begun and the ids of its queued steps."""
    queue = []
    return running.start(study=study, enqueue=queue.append, **how), queue


def extra_step():
    return AnalysisStep.objects.get(analysis="extra")


def at_once(*calls):
    """Do the calls at the same moment, each over a connection of its own; return the answers."""
    barrier = threading.Barrier(len(calls))

    def one(call):
        barrier.wait()
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(one, call) for call in calls]]


def stored():
    """All results of all runs as bytes, by step."""
    return {
        (result.step.analysis, result.step.question): json.dumps([result.data, result.missing])
        for result in Result.objects.select_related("step")
    }


def sweep(after=timedelta(0)):
    again = []
    count = running.sweep(now=timezone.now() + after, enqueue=again.append)
    return count, again
