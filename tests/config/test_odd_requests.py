"""Whatever stands in an address, a query or a form: it is answered, and never by a 500.

The addresses come from the URL configuration, the names of parameters from the source, so that a
new one is tried without anybody thinking of it.
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone
from django.utils.http import urlencode

from analysis.analyses.catalogue import CATALOGUE
from annotation import marking
from annotation.models import ServiceMark
from tests.analysis.exports.exported import analysed
from tests.cast import alice, begun, bob, rita, small_corpus, small_study, submitted, writing_study

pytestmark = [pytest.mark.django_db, pytest.mark.storage]

ODD = ["abc", "", "-1", "0", "1.5", "1e9", "9" * 30, "\x00", "٣", "💥", "a" * 5000, "[1]"]
READ = re.compile(r"(?:(?:GET|POST)(?:\.get(?:list)?\(|\[)|Parameter\(|ListFilter\()\s*\"(\w+)\"")
PLACE = re.compile(r"<(?:\w+:)?(\w+)>")


def patterns(resolver: URLResolver, before: str = "") -> Iterator[str]:
    """Every address of the site but those of Django's own admin."""
    for pattern in resolver.url_patterns:
        path = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield path
        elif not path.startswith("admin/"):
            yield from patterns(pattern, path)


def parameters() -> list[str]:
    apps = ("annotation", "writing", "judging", "analysis", "config")
    files = [file for app in apps for file in Path(settings.BASE_DIR, app).rglob("*.py")]
    names = {name for file in files for name in READ.findall(file.read_text())}
    assert {"act", "list", "decision"} <= names
    return sorted(names | {"next", "username", "password", "comment", "submit", "PROLIFIC_PID"})


@pytest.fixture
def known(transactional_db, monkeypatch):
    """Return the values that may appear at each place of an address."""
    few = {name: CATALOGUE[name] for name in ("agreement", "competence", "grades")}
    monkeypatch.setattr(settings, "ANALYSES", few)  # the pages that are tried show these
    # So that /ready has nothing to name, however long this takes.
    later = timezone.now() + timedelta(days=1)
    ServiceMark.objects.create(name=marking.CLOCK, marked_at=later)
    judged, written = small_study(quota=2, corpus=small_corpus(slug="other")), writing_study()
    work = submitted(judged, bob())
    analysed(judged)
    return {
        "slug": [judged.slug, written.slug],
        "version": ["1", "9" * 30],
        "pk": [str(work.pk), "9" * 30],
        "file": ["1", "9" * 30],
        "entry": ["1", "9" * 30],
        "round": ["1", "9" * 30],
        "token": [begun(judged, alice()).token, begun(written, bob()).token, work.token],
        "path": ["index/", "a\x00b", "💥", "../settings.py"],
        "position": ["1", "9" * 30],
        "part": ["agreement", "nothing"],
        "name": ["votes.csv", "agreement-agreement", "a\x00b", "💥", "..", "a" * 5000],
        "kind": ["jsonl", "nothing"],
        "number": ["1", "9" * 30],
        "uidb64": ["MQ", "a\x00b", "💥"],
        "screen": ["page", "nothing"],
        "section": ["design", "nothing"],
        "study_kind": ["judging", "writing", "nothing"],
        "order": ["pay", "lift", "adjust", "nothing"],
        "act": ["close", "extend", "nothing"],
        "key": ["t1", "a\x00b", "💥"],
        "digest": ["0" * 64, "nothing"],
        "pseudonym": [bob().pseudonym, "a\x00b", "💥"],
        "method": ["crowdrag-pairwise", "a\x00b", "💥"],
    }


def addresses(known: dict[str, list[str]]) -> Iterator[str]:
    for pattern in patterns(get_resolver()):
        places = set(PLACE.findall(pattern))
        most = max((len(known[place]) for place in places), default=1)
        for n in range(most):
            chosen = {place: known[place][n % len(known[place])] for place in places}
            yield "/" + PLACE.sub(lambda match, said=chosen: said[match[1]], pattern)


def is_logged_in(client: Client) -> bool:
    """Whether the browser's session is still there; asked with one query, as it is asked often."""
    cookie = client.cookies.get(settings.SESSION_COOKIE_NAME)
    return cookie is not None and client.session.exists(cookie.value)


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: ascii(odd)[:20])
def test_nothing_that_a_request_says_is_a_server_error(client, known, odd):
    client.raise_request_exception = False
    researcher, said, body = rita(), dict.fromkeys(parameters(), odd), odd.encode()
    file = {"file": SimpleUploadedFile("odd.json", body)}
    # Written once, not for each of a thousand requests.
    query, form = urlencode(said), encode_multipart(BOUNDARY, said)
    upload = encode_multipart(BOUNDARY, said | file)
    failed = []
    for address in addresses(known):
        if not is_logged_in(client):  # /logout/ is one of them
            client.force_login(researcher)
        answers = {
            "GET": client.get(address, QUERY_STRING=query),
            "POST": client.generic("POST", address, form, MULTIPART_CONTENT),
        }
        if answers["POST"].status_code != 405:  # what takes no POST looks into none
            answers["file"] = client.generic("POST", address, upload, MULTIPART_CONTENT)
            answers["JSON"] = client.post(address, body, "application/json")
        failed += [
            f"{how} {address[:80]}" for how, answer in answers.items() if answer.status_code >= 500
        ]
    assert not failed
