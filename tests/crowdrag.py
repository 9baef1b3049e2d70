"""The Crowd RAG Corpus 2025 in a database of its own, brought in by the commands.

Whichever pytest process needs it first does it; all of them then read the same database. A test
changes nothing there. A later run of the tests has it as it was, as long as what brings it in is.
"""

import fcntl
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from config.processes import dies_with_parent
from tests.services.children import ROOT
from tests.services.databases import Database, made_once, migrated
from tests.services.session import run_folder

NAME = "crowdrag"
STUDY = "crowdrag25-judging"


@dataclass(frozen=True)
class Done:
    """A command that has ended: what it printed and what it took."""

    output: str
    seconds: float  # of computing; what other processes take is not its fault
    elapsed: float
    megabytes: float  # at most at once


class CorpusDatabase:
    """The corpus as a database: `imported()`, `analysed()`, and `connected()` to read it.

    It has one of the two studies: of the other one nothing is imported.
    """

    def __init__(self, corpus: Path, *, study: Literal["judging", "writing"] = "judging") -> None:
        self.corpus = corpus
        self.only = f"--{study}-only"
        self.database = Database.named(NAME if study == "judging" else f"{NAME}_{study}")
        self.folder = run_folder() / Path(self.database.name).stem
        self.folder.mkdir(exist_ok=True)
        self.findings = self.folder / "findings.json"

    def imported(self) -> Done:
        """Import the corpus and its study, by `import_crowdrag`."""
        return Done(**made_once(self.database, of=self._made_of(), make=self._import)[1])

    def _import(self, database: Database) -> dict[str, Any]:
        database.copy(migrated())
        return asdict(self.manage("import_crowdrag", self.corpus, self.only))

    def _made_of(self) -> Iterator[Path]:
        """All that an import may run or read; the analysis only gives its tables."""
        for app in ("config", "annotation", "judging", "writing", "analysis/migrations"):
            yield from (ROOT / app).rglob("*.py")
            yield from (ROOT / app).rglob("*.json")
        yield from (ROOT / "requirements.txt", Path(__file__), ROOT / "tests/services/session.py")
        yield from self.corpus.iterdir()

    def analysed(self) -> None:
        """Write the findings of the study to the file `findings`, by `analyse --json`.

        With few draws: no test here looks at the width of an interval.
        """
        self.imported()
        with (self.folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not self.findings.exists():
                self.manage("analyse", STUDY, "--json", self.findings, "--draws", "200")

    def manage(self, *arguments: Any) -> Done:
        """Run a command on this database, on which nothing else may be waiting."""
        log = self.folder / f"{arguments[0]}.log"
        began = time.monotonic()
        with log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "manage.py", *map(str, arguments)],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                # A queue that nobody reads: closing a batch asks for an analysis.
                env={
                    **os.environ,
                    "DATABASE_URL": self.database.url,
                    "BROKER_URL": "filesystem://",
                    "CROWDWRIGHT_VAR": str(self.folder),
                },
                preexec_fn=dies_with_parent(),
            )
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        elapsed = time.monotonic() - began
        text = log.read_text()
        assert process.returncode == 0, f"manage.py {arguments[0]} failed:\n{text}"
        unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
        return Done(text, used.ru_utime + used.ru_stime, elapsed, used.ru_maxrss / unit)

    @contextmanager
    def connected(self) -> Iterator[None]:
        """Within it, Django's own connection is one to this database."""
        from django.db import connections
        from django.db.utils import load_backend

        own = connections["default"]
        settings = {**own.settings_dict, "NAME": self.database.name}
        there = load_backend(settings["ENGINE"]).DatabaseWrapper(settings, "default")
        connections["default"] = there
        try:
            if there.vendor == "postgresql":  # as a server does by itself, within a minute
                with there.cursor() as cursor:
                    cursor.execute("ANALYZE")
            yield
        finally:
            there.close()
            connections["default"] = own
