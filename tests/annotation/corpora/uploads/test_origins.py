"""Who wrote the texts of each system: chosen before the check, where no file says it."""

import re
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from annotation.corpora.uploads import gathering
from annotation.corpora.uploads.first_rows import look_at
from annotation.corpora.uploads.origins import systems_of
from annotation.models import CorpusUpload, Response
from tests.annotation.corpora.small_corpora import TOPIC, as_csv, as_jsonl
from tests.annotation.corpora.uploads.cast import checked, imported, uploaded
from tests.annotation.corpora.uploads.sending import sent_by_a_browser
from tests.hooks import element, values

pytestmark = pytest.mark.django_db
NOTHING = {"drops_citations": False, "drops_passages": False, "makes_copies": False}


def texts(*systems: str) -> list[dict[str, Any]]:
    return [
        {"response": f"r{n}", "topic": "t1", "text": f"Lamps {n}.", "system": system}
        for n, system in enumerate(systems)
    ]


def of(*systems: str, **more: bytes) -> CorpusUpload:
    files = {"topics.jsonl": as_jsonl([TOPIC]), "responses.csv": as_csv(*[texts(*systems)])}
    of_it = {"name": more.pop("name").decode()} if "name" in more else {}
    files |= {name.replace("_", "."): content for name, content in more.items()}
    return uploaded(files, **of_it)


def asked(upload: CorpusUpload) -> dict[str, str]:
    upload.refresh_from_db()
    return {each.system: each.origin for each in systems_of(upload, upload.files.all())}


def origins() -> dict[str, str]:
    return dict(Response.objects.values_list("system__key", "origin"))


def test_the_systems_of_the_files_are_asked_about_before_the_check() -> None:
    upload = of("alice", "bm25", "alice")
    assert asked(upload) == {"alice": "", "bm25": ""}
    gathering.choose(upload=upload, origin="llm", origins={"alice": "human", "bm25": ""}, **NOTHING)
    assert asked(upload) == {"alice": "human", "bm25": ""}
    upload = imported(upload)
    assert upload.report["bad"] == 0
    assert origins() == {"alice": "human", "bm25": "llm"}


def test_what_the_check_missed_is_asked_about_and_the_rest_stays() -> None:
    upload = of("alice", "bm25")
    gathering.choose(upload=upload, origin="", origins={"alice": "human"}, **NOTHING)
    upload.refresh_from_db()
    upload = checked(upload)
    assert upload.report["of_nobody"] == ["bm25"]
    assert not Response.objects.exists()
    gathering.choose(upload=upload, origin="", **NOTHING)
    assert asked(upload)["alice"] == "human"


def test_what_a_file_says_of_a_system_is_said() -> None:
    systems = as_csv([{"system": "bm25", "name": "BM25", "origin": "llm"}])
    upload = of("bm25", systems_csv=systems)
    gathering.choose(upload=upload, origin="", origins={"bm25": "human"}, **NOTHING)
    upload.refresh_from_db()
    imported(upload)
    assert origins() == {"bm25": "llm"}


@pytest.mark.parametrize("said", [{"a": "robot"}, {"a\x00": "llm"}, {"a\ud800": "llm"}])
def test_odd_origins_are_refused(said: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        gathering.choose(upload=of("a"), origin="", origins=said, **NOTHING)


def test_columns_of_many_or_long_values_name_no_systems(tmp_path: Any) -> None:
    rows = [{"system": f"s{n % 3}", "response": f"r{n}", "text": "long " * 60} for n in range(100)]
    path = tmp_path / "responses.jsonl"
    path.write_bytes(as_jsonl(rows))
    assert look_at(path, path.name).few == {"system": ["s0", "s1", "s2"]}


def test_the_page_asks_of_each_system_and_its_report_leads_there(client: Client) -> None:
    upload = of("alice", "bm25")
    client.force_login(upload.owner)
    page = client.get(upload.get_absolute_url()).text
    assert re.findall(r'name="system" value="([^"]+)"', page) == ["alice", "bm25"]
    sent = {"chosen": "yes", "act": "remove:0", "origin": "", "system": ["alice", "bm25"]}
    client.post(reverse("change_upload", args=[upload.pk]), sent | {"system_origin": ["human", ""]})
    assert asked(upload) == {"alice": "human", "bm25": ""}
    page = client.get(checked(upload).get_absolute_url()).text
    assert '<details id="origins" open>' in page


def press(client: Client, upload: CorpusUpload, button: str, **chosen: str) -> str:
    """Return the page after a button was pressed on it, as a browser does."""
    page = client.get(upload.get_absolute_url()).text
    sent = {**sent_by_a_browser(page), **chosen, "act": button}
    address = reverse("change_upload", args=[upload.pk])
    return client.post(address, sent, follow=True).text


def test_who_wrote_texts_of_systems_is_guessed_and_the_page_says_so(client: Client) -> None:
    upload = of("bm25")
    client.force_login(upload.owner)
    page = client.get(upload.get_absolute_url()).text
    assert "data-guess>" in page
    assert '<details id="origins">' in page
    press(client, upload, "remove:0")
    upload.refresh_from_db()
    assert upload.origin == ""  # nobody has said it yet
    press(client, upload, "check")
    upload.refresh_from_db()
    assert upload.origin == "llm"


def test_by_whom_texts_count_as_written_stands_in_the_report(client: Client) -> None:
    upload = of("bm25")
    client.force_login(upload.owner)
    upload.origin = "llm"
    upload.save()
    page = client.get(checked(upload).get_absolute_url()).text
    assert values(page, "data-written-by") == ["llm"]
    assert "data-guessed" in page
    upload.origins = {"bm25": "human"}
    upload.save()
    page = client.get(checked(upload).get_absolute_url()).text
    assert values(page, "data-written-by") == ["llm"]
    assert "bm25" in element(page, "data-written-by").text
    assert "data-guessed" not in page  # somebody has


def test_who_wrote_texts_of_nobody_is_asked_before_the_check(client: Client) -> None:
    rows = [{"response": "r1", "topic": "t1", "text": "Lamps."}]
    upload = uploaded({"topics.jsonl": as_jsonl([TOPIC]), "responses.jsonl": as_jsonl(rows)})
    client.force_login(upload.owner)
    page = client.get(upload.get_absolute_url()).text
    assert "data-asks-origin" in page
    assert "data-guess>" not in page
    assert element(press(client, upload, "check"), "data-message", "error")
    upload.refresh_from_db()
    assert upload.state == CorpusUpload.State.OPEN
    press(client, upload, "check", origin="human")
    upload.refresh_from_db()
    assert (upload.state, upload.origin) == (CorpusUpload.State.CHECKING, "human")


def test_nobody_is_asked_who_wrote_texts_that_say_it(client: Client) -> None:
    rows = [{**text, "origin": "human"} for text in texts("bm25")]
    upload = uploaded({"topics.jsonl": as_jsonl([TOPIC]), "responses.jsonl": as_jsonl(rows)})
    client.force_login(upload.owner)
    page = client.get(upload.get_absolute_url()).text
    assert "data-asks-origin" not in page
    assert 'id="origin"' not in page
    systems = as_csv([{"system": "bm25", "name": "BM25", "origin": "llm"}])
    page = client.get(of("bm25", systems_csv=systems, name=b"B").get_absolute_url()).text
    assert 'id="origin"' in page
    assert "data-guess>" not in page
