"""/metrics counts what all processes did, and tells nobody else."""

import re

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from annotation.models import Study
from tests.cast import begun, bob, small_study

pytestmark = pytest.mark.django_db(transaction=True)
TOKEN = "a token for prometheus"
WITH = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def web(web_processes):
    """Two web processes that count together."""
    return web_processes(2, METRICS_TOKEN=TOKEN)


def metrics_of(server):
    answer = httpx.get(f"{server.url}/metrics", headers=WITH, timeout=30)
    assert answer.status_code == 200
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer wrong"}])
def test_without_the_token_there_is_no_such_address(web, headers):
    assert httpx.get(f"{web[0].url}/metrics", headers=headers).status_code == 404


def test_a_server_without_a_token_has_no_metrics(client, settings):
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"authorization": "Bearer "}).status_code == 404


def test_requests_of_all_processes_are_counted_by_route(web):
    before = metrics_of(web[0])
    work = begun(small_study(), bob())
    for server in web:
        page = f"{server.url}/w/{work.token}/"
        for _ in range(2):
            httpx.get(page)
        httpx.get(f"{server.url}/nowhere/{work.token}/")
        httpx.get(f"{server.url}/s/unknown-{work.token}/")
    after = metrics_of(web[1])

    def more(*key):
        return after.get(key, 0) - before.get(key, 0)

    assert more("crowdwright_requests_total", "work", "302") == 4
    assert more("crowdwright_requests_total", "none", "404") == 2
    assert more("crowdwright_request_seconds_count", "work") == 4
    assert 0 < more("crowdwright_request_seconds_sum", "work") < 60


def test_labels_have_no_foreign_text(web):
    study = small_study()
    Study.objects.filter(pk=study.pk).update(title="Secret lamps")
    httpx.get(f"{web[0].url}/s/lamps/", params={"PROLIFIC_PID": "secret"})
    httpx.request("SECRET", f"{web[0].url}/secret/")
    text = httpx.get(f"{web[0].url}/metrics", headers=WITH).text
    assert "ecret" not in text
    labels = set(re.findall(r'="([^"]*)"', text))
    assert all(re.fullmatch(r"[\w:.+-]{1,60}( answer)?", label) for label in labels), labels


def test_saves_and_budgets_and_the_queue_are_facts(web):
    study = small_study()
    Study.objects.filter(pk=study.pk).update(budget=100)
    work = begun(study, bob())
    before = metrics_of(web[0])
    page = f"{web[0].url}/w/{work.token}/judging/"
    assert httpx.post(f"{page}here/", json={"tab": "t", "number": 1}).status_code == 200
    sent = {"tab": "t", "answers": []}
    status = httpx.post(f"{page}answers/", json=sent).status_code
    after = metrics_of(web[0])
    saved = after["crowdwright_saves_total",] - before.get(("crowdwright_saves_total",), 0)
    assert saved == (status == 200)
    assert after["crowdwright_requests_total", "judging:answers", str(status)] >= 1
    assert after["crowdwright_budgets", "open"] == 1
    assert ("crowdwright_queue_jobs",) in after
    assert ("crowdwright_queue_oldest_seconds",) in after
    assert after["crowdwright_ready", "database"] == 1
