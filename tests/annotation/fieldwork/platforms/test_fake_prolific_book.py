"""A trial Prolific that keeps a book knows after a restart what it knew before."""

import httpx
import pytest

from annotation.fieldwork.platforms.fake_prolific.keeping import as_json
from annotation.fieldwork.platforms.fake_prolific.running import FakeProlific
from tests.annotation.fieldwork.recruiting.prolific.fakes import STUDY


@pytest.fixture
def start(tmp_path):
    running = []

    def started():
        running.append(FakeProlific(book=tmp_path / "prolific.json").start())
        return running[-1]

    yield started
    for each in running:
        each.stop()


def test_it_goes_on_where_it_was(start):
    first = start()

    def sent(path, **fields):
        answer = httpx.post(first.url + path, json=fields)
        assert answer.is_success, answer.text
        return answer.json()

    study = sent("studies/", **STUDY)["id"]
    sent(f"studies/{study}/transition/", action="PUBLISH")
    theirs = first.world.study(study)
    good, bad = (first.world.reserve(theirs, first.world.new_id()) for _ in range(2))
    for each in (good, bad):
        first.world.complete(each, "DONE")
    sent(f"submissions/{good.id}/transition/", action="APPROVE")
    sent(
        f"submissions/{bad.id}/transition/",
        action="REJECT",
        rejection_category="LOW_EFFORT",
        message="x" * 100,
    )
    listed = sent("submissions/bonus-payments/", study_id=study, csv_bonuses=f"{good.id},0.50")
    sent(f"bulk-bonus-payments/{listed['id']}/pay/")

    again = start()  # the first was killed, as far as it knows
    assert as_json(again.world, again.api.bonuses) == as_json(first.world, first.api.bonuses)
    assert again.world.paid() == first.world.paid()
    assert again.world.submission(bad.id).rejection == ("LOW_EFFORT", "x" * 100)
    assert again.world.new_id() not in {*first.world.studies, *first.world.submissions}
    assert again.world.free(again.world.study(study)) == 2


def test_without_a_book_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    fake = FakeProlific()
    fake.keep()
    assert list(tmp_path.iterdir()) == []


def test_what_is_interrupted_on_the_way_was_never_there(start):
    first = start()

    def interrupted():
        with first.all_or_nothing():
            assert httpx.post(first.url + "studies/", json=STUDY).is_success
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    second = start()
    assert second.world.studies == {}
    with second.all_or_nothing():
        assert httpx.post(second.url + "studies/", json=STUDY).is_success
        assert start().world.studies == {}
    assert len(start().world.studies) == 1
