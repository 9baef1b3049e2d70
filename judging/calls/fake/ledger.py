"""Ledger of requests and charges: each answer is charged once.

With a file, a charge is written before its answer is sent, so that neither a killed server nor a
lost answer is paid twice: a repeated Idempotency-Key gets the answer that was paid for.
"""

import json
import os
from collections import Counter
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class Charge:
    once: str  # the Idempotency-Key; '': none was given
    request: str  # a hash of what was asked
    content: Json  # the answer
    tokens_in: int
    tokens_out: int


class ChargeLedger:
    def __init__(self, path: Path | None = None) -> None:
        self.asked = 0
        self.charges: list[Charge] = []
        self._by_key: dict[str, Charge] = {}
        self._file: int | None = None
        if path is not None:
            if path.exists():
                self._read(path)
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def _read(self, path: Path) -> None:
        content = path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if len(whole) < len(content):  # a line that a killed server did not end
            os.truncate(path, len(whole))
        for line in whole.splitlines():
            self._keep(Charge(**json.loads(line)))

    def _keep(self, charge: Charge) -> None:
        self.charges.append(charge)
        if charge.once:
            self._by_key[charge.once] = charge

    def known(self, once: str) -> Charge | None:
        return self._by_key.get(once) if once else None

    def charge(self, charge: Charge) -> None:
        if self._file is not None:
            os.write(self._file, json.dumps(vars(charge)).encode() + b"\n")
        self._keep(charge)

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def counts(self) -> Json:
        """Return the counts; `charged_twice` are requests paid more than once, with any keys."""
        requests = Counter(charge.request for charge in self.charges)
        return {
            "asked": self.asked,
            "charged": len(self.charges),
            "charged_twice": sum(count > 1 for count in requests.values()),
            "tokens_in": sum(charge.tokens_in for charge in self.charges),
            "tokens_out": sum(charge.tokens_out for charge in self.charges),
        }


def hash_of(body: bytes) -> str:
    return blake2b(body, digest_size=16).hexdigest()
