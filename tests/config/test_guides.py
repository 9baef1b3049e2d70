"""What the guides tell a newcomer to type, typed as it stands there."""

import json
import os
import re
import shlex
import subprocess
import sys
import urllib.request

import pytest

from tests.services.children import ROOT, Child, free_port

pytestmark = pytest.mark.system

REHEARSED = {"make demo", "make test"}  # by .ci/run, on a bare machine


def commands(guide):
    """Each command of the grey boxes that a shell takes; continued lines are one."""
    boxes = re.findall(r"^```sh\n(.*?)^```", (ROOT / guide).read_text(), re.MULTILINE | re.DOTALL)
    lines = "".join(boxes).replace("\\\n", "").splitlines()
    typed = [shlex.split(line, comments=True) for line in lines]
    return [words for words in typed if words and " ".join(words) not in REHEARSED]


class Newcomer:
    """Somebody in the folder of the checkout, whose own files and database are a test's."""

    def __init__(self, folder):
        self.folder, self.port, self.server = folder, free_port(), None
        for name in ("manage.py", "annotation"):
            (folder / name).symlink_to(ROOT / name)
        self.env = {
            **{key: value for key, value in os.environ.items() if not key.endswith("_URL")},
            "CROWDWRIGHT_VAR": str(folder / "var"),
            "DJANGO_SUPERUSER_PASSWORD": "as long as it takes",
        }

    def types(self, words):
        if words[2] == "serve":
            return self.serves([*words, "--port", str(self.port)])
        if words[2] == "createsuperuser":
            words = [*words, "--no-input"]  # it would ask for the password at a terminal
        line = " ".join(word if "*" in word else shlex.quote(word) for word in words)
        done = subprocess.run(
            line.replace(".venv/bin/python", shlex.quote(sys.executable), 1),
            shell=True,
            cwd=self.folder,
            env=self.env,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, f"{line}: {done.stdout}{done.stderr}"
        return done.stdout

    def serves(self, words):
        log = self.folder / "serve.log"
        unset = [f"--unset={name}" for name in os.environ if name not in self.env]
        command = ["env", *unset, sys.executable, *words[1:]]
        self.server = Child(command, log=log, env=self.env)
        self.server.wait_until(lambda: "Crowdwright runs at" in log.read_text(), seconds=180)
        return log.read_text()


@pytest.fixture
def newcomer(tmp_path):
    somebody = Newcomer(tmp_path)
    yield somebody
    if somebody.server:
        somebody.server.stop()


COMMANDS = "docs/commands.md"


def test_the_commands_can_be_typed_as_they_stand_there(newcomer):
    typed = commands(COMMANDS)
    assert all(words[:2] == [".venv/bin/python", "manage.py"] for words in typed)
    assert {"serve", "createsuperuser", "import_corpus", "simulate", "export"} < {
        words[2] for words in typed
    }
    for words in typed:
        said = newcomer.types(words)
        if "--launch" in words:
            link = re.search(r"http://localhost:\S+/s/which-is-better/", said)[0]
            assert f":{newcomer.port}/" in link  # the port that is served
            with urllib.request.urlopen(link) as page:
                assert "Which is better" in page.read().decode()
    assert json.loads((newcomer.folder / "findings.json").read_text())["grades"]
    assert list(newcomer.folder.glob("*export/DATA.md"))


def test_the_architecture_can_be_read_in_five_minutes():
    assert len((ROOT / "ARCHITECTURE.md").read_text().split()) <= 1200  # 240 words a minute
