"""A participant's page without a browser, which saves until it is acknowledged."""

import ssl
import threading
import time
from collections import Counter

import httpx

from tests.services.children import PATIENCE


class Saver(threading.Thread):
    """A participant's page: saves an answer, again until it is acknowledged, then another."""

    def __init__(self, token: str, *, url: str, trust: ssl.SSLContext | bool = True) -> None:
        super().__init__(daemon=True)  # a failed test must be able to end
        self.base, self.verify = f"{url}/w/{token}/judging/", trust
        self.statuses: Counter[int] = Counter()
        self.acknowledged, self.stopping = "", threading.Event()

    def run(self) -> None:
        with httpx.Client(verify=self.verify, timeout=PATIENCE) as client:
            self.send(client, "here/", {"tab": "one"})
            for number in range(100_000):
                raw = "ab"[number % 2]
                answer = {"position": 1, "question": "better", "raw": raw}
                self.send(client, "answers/", {"tab": "one", "answers": [answer], "comments": []})
                self.acknowledged = raw
                if self.stopping.is_set():
                    break
                time.sleep(0.05)

    def send(self, client: httpx.Client, path: str, data: object) -> None:
        while True:
            try:
                response = client.post(self.base + path, json=data)
            except httpx.TransportError:
                status = 0
            else:
                status = response.status_code
                if status == 503:
                    assert response.headers["Retry-After"]
            self.statuses[status] += 1
            if status == 200:
                return
            time.sleep(0.2)

    def wait_for(self, number: int, *, status: int = 200) -> None:
        """Wait until this many more saves are acknowledged, or answered with another status."""
        before, deadline = self.statuses[status], time.monotonic() + PATIENCE
        while self.statuses[status] < before + number:
            assert time.monotonic() < deadline, self.statuses
            time.sleep(0.05)

    def end(self) -> str:
        """Return the last answer that was acknowledged."""
        self.stopping.set()
        self.join(PATIENCE)
        assert not self.is_alive()
        return self.acknowledged
