"""The closed-loop client counts what is acknowledged, and lost answers are found."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from benchmarks.potato import Annotator, write_project
from benchmarks.saving import Questionnaire, require_same
from benchmarks.sessions import Request, Session, load


@pytest.fixture
def server():
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            answer = b'{"status": "refused"}' if body == b"bad" else b'{"saved": 1}'
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_):
            pass

    made = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.daemon_threads = True
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{made.server_address[1]}"
    made.shutdown()
    made.server_close()


def turns(body):
    number = 0
    while True:
        number += 1
        request = Request("POST", "/", body, b'"saved"')
        yield [request, request], {("i", "q"): str(number)}


def test_a_session_ends_with_its_last_acknowledged_answer(server):
    sessions = [Session(server, turns(b"{}")) for _ in range(3)]
    took = load(sessions, 0)  # the turn that began is finished
    assert len(took) == 3
    assert [session.saved for session in sessions] == [{("i", "q"): "1"}] * 3
    assert sum(session.saves for session in sessions) == 3


def test_an_answer_that_acknowledges_nothing_ends_the_load(server):
    with pytest.raises(RuntimeError, match="refused"):
        load([Session(server, turns(b"bad"))], 0)


def test_a_lost_answer_is_found():
    saved = {("1", "better"): "a", ("2", "better"): "b"}
    require_same(saved, saved | {("3", "better"): "a"})
    for stored in ({("1", "better"): "a"}, saved | {("2", "better"): "a"}):
        with pytest.raises(SystemExit, match="1 of 2"):
            require_same(saved, stored)


@pytest.mark.parametrize(
    ("participant", "cycles"), [(Questionnaire("t", list("abcdefg")), 15), (Annotator("p", ""), 14)]
)
def test_a_cycle_saves_seven_answers_and_each_pass_another_value(participant, cycles):
    going = participant.cycles()
    passes = [[next(going)[1] for _ in range(cycles)] for _ in range(2)]
    first, second = ({key: raw for saved in each for key, raw in saved.items()} for each in passes)
    assert len(first) == len(second) == 7 * cycles
    assert all(second[key] != raw for key, raw in first.items())


def test_the_project_of_potato_has_our_items_and_questions(tmp_path):
    write_project(tmp_path / "project", 50)
    assert len((tmp_path / "project/data/items.json").read_text().splitlines()) == 15
