"""Links to no study and to no work: each is told so, and takes no place."""

from urllib.parse import urlencode

import pytest

from annotation.models import Assignment
from tests.cast import small_study
from tests.hooks import element
from tests.judging.answering.refusals import JSON, refused

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", ["", "consent/", "judging/", "judging/1/", "done/", "withdraw/"])
def test_a_wrong_token_is_told_so(client, path):
    method = client.post if path == "consent/" else client.get
    refused(method(f"/w/nobody-has-this/{path}", headers=JSON["headers"]), 404, "UnknownLink")


def test_a_wrong_token_is_told_so_on_a_page(client):
    response = client.get("/w/nobody-has-this/")
    sentence = refused(
        client.get("/w/nobody-has-this/", headers=JSON["headers"]), 404, "UnknownLink"
    )
    assert response.status_code == 404
    assert element(response.content.decode(), "data-refusal").text == sentence


def test_a_binary_token_opens_nothing(client):
    assert client.get("/w/no%00body/", headers=JSON["headers"]).status_code == 404


def test_an_unknown_study_is_told_so(client):
    refused(client.get("/s/nothing/", headers=JSON["headers"]), 410, "StudyNotOpen")


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"PROLIFIC_PID": "a" * 24},
        {"SESSION_ID": "a" * 24},
        {"PROLIFIC_PID": "", "SESSION_ID": "a" * 24},
        {"PROLIFIC_PID": "  ", "SESSION_ID": "a" * 24},
        {"PROLIFIC_PID": "{{%PROLIFIC_PID%}}", "SESSION_ID": "{{%SESSION_ID%}}"},
        {"PROLIFIC_PID": "a" * 25, "SESSION_ID": "a" * 24},
        {"PROLIFIC_PID": "a" * 23, "SESSION_ID": "a" * 24},
        {"PROLIFIC_PID": "a" * 24, "SESSION_ID": "anything"},
        {"PROLIFIC_PID": "anybody", "SESSION_ID": "a" * 24},
        {"PROLIFIC_PID": "g" * 24, "SESSION_ID": "a" * 24},
    ],
)
def test_an_incomplete_link_takes_no_place(client, parameters):
    small_study(recruitment="prolific")
    link = f"/s/lamps/?{urlencode(parameters)}"
    for response in (
        client.get(link, headers=JSON["headers"]),
        client.post(link, {"agree": "yes"}, headers=JSON["headers"]),
    ):
        sentence = refused(response, 400, "IncompleteLink")
    assert element(client.get(link).text, "data-refusal").text == sentence
    assert not Assignment.objects.exists()


def test_a_link_with_a_nul_takes_no_place(client):
    small_study(recruitment="prolific")
    sent = {"PROLIFIC_PID": "a" * 23 + "\x00", "SESSION_ID": "a" * 24}
    link = f"/s/lamps/?{urlencode(sent)}"
    assert client.get(link).status_code == 400
    assert client.post(link, {"agree": "yes"}).status_code == 400
    assert not Assignment.objects.exists()
