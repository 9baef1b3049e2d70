"""A writer's page that goes sends what it has; the server takes it when the next page is there."""

from threading import Event
from typing import Any

import pytest
from playwright.sync_api import Page, Response

from tests.journeys import writer
from tests.journeys.writer import editor, saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LATE = 60  # s, at most


@pytest.fixture
def gone_on(page: Page, monkeypatch: pytest.MonkeyPatch) -> Event:
    """Once it is cleared, chunks wait until a page was told where to go on, which sets it."""
    from writing.editor import views

    event = Event()
    event.set()
    take = views.save_chunk

    def late(*args: Any) -> Any:
        event.wait(LATE)
        return take(*args)

    def answered(response: Response) -> None:
        if response.url.endswith("/here/"):
            event.set()

    monkeypatch.setattr(views, "save_chunk", late)
    page.on("response", answered)
    return event


def test_a_reload_loses_no_key_and_needs_no_whole_text_however_late_the_last_chunks_are(
    page: Page, live_server: Any, gone_on: Event
) -> None:
    from tests.cast import prolific_link

    study = writer.lamps_study(recruitment="prolific", responses=1)
    link = prolific_link("alice", slug="lamps", submission="lamps")
    writer.begin(page, live_server.url + link)
    page.keyboard.type("One.")
    saved(page)
    page.keyboard.type(" Two.")
    gone_on.clear()
    page.reload()
    writer.ready(page)
    assert editor(page).input_value() == "One. Two."
    page.keyboard.type(" Three.")
    saved(page)
    _, events, rebuilt = writer.log_of(study)
    assert rebuilt == editor(page).input_value() == "One. Two. Three."
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert [event.type for event in events].count("start") == 2
    assert "snapshot" not in {event.type for event in events}
