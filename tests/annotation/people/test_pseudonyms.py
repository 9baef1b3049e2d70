"""Workers are known by a pseudonym."""

import pytest
from cryptography.fernet import InvalidToken

from annotation.models import Worker
from annotation.people.pseudonyms import encrypted, hashed, revealed, worker_for

PID = "5f9c1a2b3c4d5e6f7a8b9c0d"
pytestmark = pytest.mark.django_db


def test_the_same_id_is_the_same_worker():
    assert worker_for(platform="prolific", external_id=PID) == worker_for(
        platform="prolific", external_id=PID
    )
    assert Worker.objects.count() == 1


def test_the_same_id_on_another_platform_is_another_worker():
    one = worker_for(platform="prolific", external_id=PID)
    assert one != worker_for(platform="upwork", external_id=PID)


def test_a_pseudonym_says_nothing_about_the_id():
    worker = worker_for(platform="prolific", external_id=PID)
    stored = f"{worker.pseudonym} {worker.external_hash} {bytes(worker.external_id)!r}"
    assert PID not in stored
    assert worker.pseudonym.startswith("w-")


def test_the_id_is_readable_with_the_key():
    worker = worker_for(platform="prolific", external_id=PID)
    worker.refresh_from_db()
    assert revealed(worker) == PID


def test_the_id_is_not_readable_with_another_key(settings):
    worker = worker_for(platform="prolific", external_id=PID)
    settings.PSEUDONYM_KEY = "yet another key: " + "1" * 40
    with pytest.raises(InvalidToken):
        revealed(worker)


def test_another_key_gives_another_hash(settings):
    before = hashed(platform="prolific", external_id=PID)
    settings.PSEUDONYM_KEY = "yet another key: " + "1" * 40
    assert hashed(platform="prolific", external_id=PID) != before


def test_the_same_id_is_encrypted_differently_each_time():
    assert encrypted(PID) != encrypted(PID)


@pytest.mark.parametrize("external_id", ["é" * 100, "a b&c=d", "1"])
def test_any_id_survives(external_id):
    worker = worker_for(platform="link", external_id=external_id)
    worker.refresh_from_db()
    assert revealed(worker) == external_id


def test_a_worker_who_is_known_keeps_the_pseudonym():
    first = worker_for(platform="link", external_id="1", pseudonym="bob")
    assert worker_for(platform="link", external_id="1", pseudonym="robert") == first
    assert Worker.objects.get().pseudonym == "bob"
