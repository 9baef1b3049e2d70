"""The id of a request is in its answer, in the log of the server and in that of its jobs."""

import json
import re
from typing import Any

import httpx
import pytest
from celery.signals import before_task_publish
from django.utils import timezone

from annotation import jobs, request_ids
from annotation import tasks as platform_tasks
from config.celery import QUEUED_AT

ID = "proxy-0123456789abcdef"


@pytest.mark.django_db
@pytest.mark.parametrize("given", [ID, "a.b_c-d1", "A" * 64])
def test_a_well_formed_id_of_the_proxy_is_kept(client, given):
    answer = client.get("/alive", headers={"x-request-id": given})
    assert answer.headers["X-Request-ID"] == given


@pytest.mark.django_db
@pytest.mark.parametrize("given", ["", "short", "A" * 65, "a b c d e f g", "x\r\ny" * 4, "é" * 10])
def test_another_one_is_replaced(client, given):
    made = client.get("/alive", headers={"x-request-id": given}).headers["X-Request-ID"]
    assert re.fullmatch("[0-9a-f]{32}", made)
    assert client.get("/alive").headers["X-Request-ID"] != made
    assert request_ids.current() == ""


@pytest.mark.django_db(transaction=True)
def test_lines_are_json_with_the_id(web_processes):
    (server,) = web_processes(1, LOG_FORMAT="json")
    httpx.get(f"{server.url}/nowhere/", headers={"X-Request-ID": ID})
    (line,) = [line for line in server.log.read_text().splitlines() if ID in line]
    logged = json.loads(line)
    assert logged["request_id"] == ID
    assert logged["level"] == "warning"
    assert {"timestamp", "logger", "event"} <= set(logged)


@pytest.mark.django_db
def test_a_message_has_the_id_of_its_request_and_the_time():
    headers: dict[str, Any] = {}
    with request_ids.under(ID):
        before_task_publish.send(sender="lamps", headers=headers)
    assert headers[request_ids.KEY] == ID
    assert abs(headers[QUEUED_AT] - timezone.now().timestamp()) < 60
    headers.clear()
    before_task_publish.send(sender="lamps", headers=headers)
    assert request_ids.KEY not in headers


@pytest.mark.django_db(transaction=True)
def test_the_log_of_a_job_has_the_id(celery_worker):
    with request_ids.under(ID):
        assert jobs.send(platform_tasks.work_on_upload, "no number")  # which fails
    celery_worker.wait_until_idle()
    lines = [line for line in celery_worker.log.read_text().splitlines() if ID in line]
    assert any("work_on_upload" in line for line in lines)
