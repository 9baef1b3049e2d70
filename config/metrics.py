"""Metrics of all processes of this host, in Prometheus's format.

Counters are files in METRICS_DIR (config.metric_files). Labels are names of our own code, never of
a request or a study.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from annotation import signals
from config import metric_gauges

NO_ROUTE = "none"
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60)

requests = Counter("crowdwright_requests", "Requests", ["route", "status"])
request_seconds = Histogram(
    "crowdwright_request_seconds", "Duration of requests", ["route"], buckets=SECONDS
)
saves = Counter("crowdwright_saves", "Requests that saved answers")
chunks = Counter("crowdwright_chunks", "Requests that saved chunks of interaction logs")
jobs = Counter("crowdwright_jobs", "Finished jobs", ["task", "state"])
job_seconds = Histogram(
    "crowdwright_job_seconds", "Duration of jobs", ["task"], buckets=(*SECONDS, 300, 1800)
)
platform_errors = Counter("crowdwright_platform_errors", "Failed calls to Prolific", ["status"])
SAVES = {"judging:answers": saves, "writing:log": chunks}  # by route


def observe(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    """Count a request that was answered."""
    match = request.resolver_match
    count(match.view_name if match else "", response.status_code, seconds)


def count(route: str, status: int, seconds: float) -> None:
    """Count an answer of a route."""
    route = route or NO_ROUTE
    requests_of(route, status)()
    duration_of(route)(seconds)
    if status == 200 and (counter := SAVES.get(route)):
        counter.inc()


# Looking a child up by its labels takes longer than counting.
_counts: dict[tuple[str, int], Callable[[], None]] = {}
_durations: dict[str, Callable[[float], None]] = {}


def requests_of(route: str, status: int) -> Callable[[], None]:
    count = _counts.get((route, status))
    if count is None:
        count = _counts[route, status] = requests.labels(route, str(status)).inc
    return count


def duration_of(route: str) -> Callable[[float], None]:
    observed = _durations.get(route)
    if observed is None:
        observed = _durations[route] = request_seconds.labels(route).observe
    return observed


@signals.platform_called.connect
def _count_call(outcome: str, **_: object) -> None:
    if not outcome.startswith("2"):
        platform_errors.labels(outcome).inc()


class _Gauges(Collector):
    """Facts of the installation, read when they are asked for."""

    def collect(self) -> Iterator[Metric]:
        for name, (text, labels, values) in metric_gauges.read().items():
            family = GaugeMetricFamily(f"crowdwright_{name}", text, labels=labels)
            for label_values, value in values.items():
                family.add_metric(label_values, value)
            yield family


class _Counters(Collector):
    """Counters and durations of all processes whose files are in METRICS_DIR."""

    def collect(self) -> Iterator[Metric]:
        files = [str(path) for path in sorted(Path(settings.METRICS_DIR).glob("*/*.db"))]
        merged: Iterable[Metric] = MultiProcessCollector.merge(files)  # type: ignore[no-untyped-call]
        yield from merged


def page() -> bytes:
    """Return all metrics as text."""
    registry = CollectorRegistry()
    registry.register(_Counters())
    registry.register(_Gauges())
    return generate_latest(registry)
