"""The endpoint of our own judges by script, and charges each answer once."""

import json
import os
import socket
import subprocess
import sys
import threading
import time

import httpx
import pytest
from django.core.management import CommandError, call_command

from judging.calls.client import BrokenCall, Endpoint, RefusedCall
from judging.calls.fake.judges import WORDS, TextQualities, answers, questions_of
from judging.calls.fake.ledger import Charge, ChargeLedger
from judging.calls.fake.running import FakeEndpoint
from judging.calls.fake.troubles import Trouble, TroubleKind

SCHEMA = {"properties": {"overall": {"enum": ["left", "equal", "right"]}}}
TEXTS = {f"Text number {n} of the planted ones.": (n - 10) / 5 for n in range(20)}


def said(judge, first, second):
    qualities = TextQualities()
    qualities.learn(TEXTS)
    prompt = f"Left:\n{first}\nRight:\n{second}"
    return answers(judge, prompt=prompt, schema=SCHEMA, known=qualities)["overall"]


def pairs():
    texts = list(TEXTS)
    return [(a, b) for a in texts for b in texts if a != b]


def test_the_good_judge_knows_the_planted_quality():
    far = [(a, b) for a, b in pairs() if abs(TEXTS[a] - TEXTS[b]) >= 0.5]
    right = [said("good", a, b) == ("left" if TEXTS[a] > TEXTS[b] else "right") for a, b in far]
    assert 0.88 < sum(right) / len(right) < 0.97  # 0.9 + 0.1/3


def test_one_likes_the_left_side_and_one_guesses():
    left = [said("left", a, b) == "left" for a, b in pairs()]
    assert 0.88 < sum(left) / len(left) < 0.98
    guesses = [said("guess", a, b) for a, b in pairs()]
    for option in ("left", "equal", "right"):
        assert 0.26 < guesses.count(option) / len(guesses) < 0.41


def test_a_judge_says_the_same_to_the_same_prompt():
    assert [said("guess", a, b) for a, b in pairs()] == [said("guess", a, b) for a, b in pairs()]


PROMPT = """Text number 19 of the planted ones. Text number 0 of the planted ones.
1. overall: Which text is better?
   Answers: A = Text A; C = Equal; B = Text B
2. length: How long?
   Answers: a number from 1 to 3; null for none
"""


def test_what_may_be_said_is_also_read_from_the_prompt():
    assert questions_of(PROMPT, None) == {"overall": ["A", "C", "B"], "length": [1, 2, 3]}
    assert questions_of("Say [[A]], [[B]] or [[C]].", None) == {"verdict": ["A", "B", "C"]}


def test_a_verdict_stands_alone_in_brackets_on_the_last_line():
    with FakeEndpoint() as fake, Endpoint(fake.url, inside=True) as endpoint:
        fake.known.learn(TEXTS)
        said = [
            endpoint.ask(
                messages=[{"role": "user", "content": f"{n} {PROMPT.split('2.')[0]} [[X]]"}],
                model="good",
            ).text.splitlines()[-1]
            for n in range(20)
        ]
    assert said.count("[[A]]") > 15


def test_best_and_worst_of_four_and_a_score_for_each():
    letters = {"enum": ["A", "B", "C", "D"]}
    schema = {
        "properties": {
            "best_reason": {"type": "string"}, "best": letters, "worst": letters,
            "score_B": {"enum": [1, 2, 3, None]},
        }
    }  # fmt: skip
    qualities = TextQualities()
    qualities.learn(
        {f"The text {n} of four": quality for n, quality in enumerate([0, 1.4, -1, 0.5])}
    )
    prompt = " ".join(f"The text {n} of four" for n in range(4))
    found = [
        answers("good", prompt=f"{n} {prompt}", schema=schema, known=qualities) for n in range(50)
    ]
    most = {
        name: max(said, key=said.count) for name in found[0] if (said := [f[name] for f in found])
    }
    assert most == {"best_reason": WORDS, "best": "B", "worst": "C", "score_B": 3}


def test_a_score_follows_the_quality():
    qualities = TextQualities()
    qualities.learn({"The best one": 1.4, "The worst one": {"overall": -1.4}})
    schema = {"properties": {"overall": {"type": "integer", "minimum": 1, "maximum": 5}}}
    best, worst = (
        [
            answers("good", prompt=f"{n}: {text}", schema=schema, known=qualities)["overall"]
            for n in range(50)
        ]
        for text in ("The best one", "The worst one")
    )
    assert best.count(5) > 40
    assert worst.count(1) > 40


def ask(endpoint, number=0, **options):
    messages = [{"role": "user", "content": f"Item {number}"}]
    return endpoint.ask(messages=messages, model="left", schema=SCHEMA, **options)


@pytest.mark.parametrize(
    "kind", [TroubleKind.ERROR_AFTER, TroubleKind.HTML, TroubleKind.HALF, TroubleKind.CUT]
)
def test_an_answer_that_was_lost_is_given_again_and_not_charged_again(kind):
    with FakeEndpoint() as fake, Endpoint(fake.url, inside=True) as endpoint:
        fake.troubles.waiting.append(Trouble(kind))
        with pytest.raises(BrokenCall):
            ask(endpoint, once="call-1")
        assert json.loads(ask(endpoint, once="call-1").text)
        assert fake.ledger.counts() | {"tokens_in": 0, "tokens_out": 0} == {
            "asked": 2, "charged": 1, "charged_twice": 0, "tokens_in": 0, "tokens_out": 0,
        }  # fmt: skip


def test_a_key_of_another_request_is_refused():
    with FakeEndpoint() as fake, Endpoint(fake.url, inside=True) as endpoint:
        ask(endpoint, once="call-1")
        with pytest.raises(RefusedCall, match="another request"):
            ask(endpoint, number=1, once="call-1")
        for _ in range(2):
            ask(endpoint, number=2)
        assert fake.ledger.counts()["charged_twice"] == 1


def test_the_ledger_outlives_a_kill_in_the_middle_of_a_line(tmp_path):
    path = tmp_path / "ledger"
    ledger = ChargeLedger(path)
    charges = [Charge(f"call-{n}", f"hash {n}", {"n": n}, 5, 1) for n in range(2)]
    for charge in charges:
        ledger.charge(charge)
    ledger.close()
    path.write_bytes(path.read_bytes()[:-3])
    again = ChargeLedger(path)
    assert again.charges == charges[:1]
    again.charge(charges[1])
    again.close()
    assert ChargeLedger(path).charges == charges


def test_it_is_steered_from_another_process():
    with FakeEndpoint() as fake, httpx.Client(base_url=fake.site) as http:
        http.post("/fake/texts", json={"A text": 1.5})
        assert fake.known.found("Here is A  text.") == [1.5]
        http.post("/fake/troubles", json={"kind": "html", "times": 2, "every": 3})
        kinds = [
            http.post("/v1/chat/completions", json={"model": "left", "messages": [{}]}).headers[
                "Content-Type"
            ]
            for _ in range(7)
        ]
        assert [kind == "text/html" for kind in kinds] == [False, False, True] * 2 + [False]
        assert http.get("/fake/counts").json()["charged"] == 7
        assert {"id": "good"} in http.get("/v1/models").json()["data"]


def test_it_takes_what_is_no_http_and_goes_on():
    with FakeEndpoint() as fake:
        for sent in (b"\r\n\r\n", b"GET\r\n\r\n", b"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", fake.port)) as connection:
                connection.sendall(sent)
                assert connection.recv(10) == b""
        assert httpx.get(fake.site + "/v1/models").status_code == 200
        assert httpx.post(fake.site + "/v1/responses", content=b"{").status_code == 400


def test_asking_and_answering_fit_ten_thousand_times_into_a_minute_of_one_core():
    with FakeEndpoint() as fake, Endpoint(fake.url, inside=True) as endpoint:
        ask(endpoint)
        took = [1e9]  # seconds of both threads, the least: a busy machine's caches cost some, too
        while min(took) >= 0.6 and len(took) < 10:
            begun = time.process_time()
            for number in range(100):
                ask(endpoint, number)
            took.append(time.process_time() - begun)
        assert min(took) < 0.6  # measured: 0.1


def test_the_command_runs_it(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "manage.py", "fake_endpoint", "--port", "0"],
        stdout=subprocess.PIPE, text=True, env=os.environ | {"CROWDWRIGHT_VAR": str(tmp_path)},
    )  # fmt: skip
    killer = threading.Timer(120, process.kill)
    killer.start()
    try:
        url = process.stdout.readline().split(": ")[1].split(" ")[0]
        with Endpoint(url, inside=True) as endpoint:
            assert ask(endpoint).text
    finally:
        killer.cancel()
        process.kill()
        process.wait()


def test_the_command_says_that_a_port_is_taken():
    with FakeEndpoint() as fake, pytest.raises(CommandError, match="--port"):
        call_command("fake_endpoint", port=fake.port)
