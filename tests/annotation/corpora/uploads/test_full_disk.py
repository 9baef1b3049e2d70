"""A full disk: one sentence, and no part of a file stays."""

import errno
import io
import zipfile

import pytest
from django.core.files.uploadhandler import TemporaryFileUploadHandler
from django.test import Client
from django.urls import reverse

from annotation.corpora.uploads import gathering, unpacking
from annotation.people.access import making_keys
from tests.cast import NOW, rita, small_study

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uploads_dir")]

CHUNK = 64 * 1024  # bytes that Django reads at a time
TOPICS = b"topic_id,query\n" + b"t1,Why do lamps shine?\n" * 10_000


def full() -> OSError:
    return OSError(errno.ENOSPC, "No space left on device")


def zipped(*contents: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for number, content in enumerate(contents):
            archive.writestr(f"{number}.csv", content)
    return made.getvalue()


@pytest.fixture
def full_at_the_second_chunk(monkeypatch):
    taken = TemporaryFileUploadHandler.receive_data_chunk

    def receive(self, raw_data, start):
        if start:
            raise full()
        return taken(self, raw_data, start)

    monkeypatch.setattr(TemporaryFileUploadHandler, "receive_data_chunk", receive)


@pytest.fixture
def full_at_the_second_file(monkeypatch):
    extracted, seen = unpacking._extracted, []

    def extract(*arguments, **more):
        seen.append(1)
        if len(seen) > 1:
            raise full()
        return extracted(*arguments, **more)

    monkeypatch.setattr(unpacking, "_extracted", extract)


@pytest.fixture
def user():
    return rita()


@pytest.fixture
def researcher(user):
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def upload(user):
    return gathering.begin(owner=user, name="Lamps")


def left(settings):
    return [path for path in settings.UPLOADS_DIR.rglob("*") if path.is_file()]


def sent(client, upload, content, name="topics.csv", **how):
    file = io.BytesIO(content)
    file.name = name
    return client.post(reverse("upload_files", args=[upload.pk]), {"files": file}, **how)


def messages_of(client, upload):
    page = client.get(upload.get_absolute_url())
    return [(message.level_tag, str(message)) for message in page.context["messages"]]


@pytest.mark.usefixtures("full_at_the_second_chunk")
def test_a_file_that_does_not_fit_is_refused_in_a_sentence(researcher, upload, settings):
    assert sent(researcher, upload, TOPICS).status_code == 302
    ((level, sentence),) = messages_of(researcher, upload)
    assert level == "error"
    assert "storage" in sentence
    assert left(settings) == []
    assert not upload.files.exists()


@pytest.mark.usefixtures("full_at_the_second_file")
def test_a_zip_file_that_does_not_fit_unpacked_is_refused(researcher, upload, settings):
    sent(researcher, upload, zipped(TOPICS, TOPICS), "texts.zip")
    ((_, sentence),) = messages_of(researcher, upload)
    assert "storage" in sentence
    assert left(settings) == []
    assert not upload.files.exists()


def test_unpacked_files_of_a_refused_upload_are_deleted(researcher, upload, settings):
    settings.UPLOAD_MOST_BYTES = len(TOPICS)
    sent(researcher, upload, zipped(TOPICS, b"topic_id,query\nt2,Why?\n"), "texts.zip")
    assert left(settings) == []
    assert not upload.files.exists()


@pytest.fixture
def key(user):
    _, secret = making_keys.make_key(user=user, name="check", scopes=making_keys.SCOPES, now=NOW)
    return {"authorization": f"Bearer {secret}"}


@pytest.mark.usefixtures("full_at_the_second_chunk")
def test_programs_get_the_status_of_the_refusal(client, key, upload, settings):
    file = io.BytesIO(TOPICS)
    file.name = "topics.csv"
    answer = client.post(f"/api/uploads/{upload.pk}/files/", {"files": file}, headers=key)
    assert answer.status_code == 413
    assert left(settings) == []


@pytest.mark.usefixtures("full_at_the_second_chunk")
def test_labels_that_do_not_fit_are_refused(researcher, client, key, settings):
    study = small_study()
    for asking, path, how in (
        (researcher, f"/studies/{study.slug}/{study.version}/raters/labels/", {}),
        (client, f"/api/studies/{study.slug}/{study.version}/labels/", {"headers": key}),
    ):
        file = io.BytesIO(TOPICS)
        file.name = "labels.csv"
        assert asking.post(path, {"file": file}, **how).status_code == 413
        assert left(settings) == []
