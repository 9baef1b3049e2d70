"""The broker of the embedded mode: several processes and one folder."""

import threading
import time
from queue import Empty

import pytest
from kombu import Connection

TRANSPORT = "config.folder_broker:Transport"


@pytest.fixture
def channel(tmp_path):
    for name in ("messages", "control"):
        (tmp_path / name).mkdir()
    options = {
        "data_folder_in": str(tmp_path / "messages"),
        "data_folder_out": str(tmp_path / "messages"),
        "control_folder": str(tmp_path / "control"),
    }
    return lambda: Connection(transport=TRANSPORT, transport_options=options).channel()


class HalfWritten:
    """A part of a message; when it is written, another process looks for messages."""

    def __init__(self, look):
        self.look = look

    def __json__(self):
        self.look()
        return "whole"


def test_no_worker_reads_a_message_that_is_not_whole_yet(channel):
    def look():
        with pytest.raises(Empty):
            channel()._get("celery")

    channel()._put("celery", {"body": HalfWritten(look)})
    assert channel()._get("celery") == {"body": "whole"}


def test_messages_come_in_their_order_and_nothing_else_is_left_in_the_folder(channel, tmp_path):
    for number in range(20):
        channel()._put("celery", {"number": number})
    assert [channel()._get("celery")["number"] for _ in range(20)] == list(range(20))
    assert not list((tmp_path / "messages").iterdir())


def test_processes_that_start_together_all_find_the_table_of_the_exchange(channel, tmp_path):
    failed = []

    def bind(name):
        try:
            mine = channel()
            mine._queue_bind("celery", "celery", None, name)
            mine.get_table("celery")
        except ValueError as error:  # a table that is not whole is no JSON
            failed.append(error)

    threads = [threading.Thread(target=bind, args=[f"queue{n}"]) for n in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert {row.queue for row in channel().get_table("celery")} == {f"queue{n}" for n in range(16)}
    assert [path.name for path in (tmp_path / "control").iterdir()] == ["celery.exchange"]


def test_a_worker_with_nothing_to_do_soon_looks_up_whether_it_is_to_end(channel):
    link = channel().connection.client  # with the options of a folder of its own
    began = time.monotonic()
    with pytest.raises(TimeoutError), link.Consumer(link.SimpleQueue("celery").queue):
        link.drain_events(timeout=60)  # as the worker's loop does, which is then at its beginning
    assert time.monotonic() - began < 20
