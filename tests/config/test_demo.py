"""`manage.py demo`: from nothing to a grade table in one command, on SQLite and without Redis."""

import os
import re
import sqlite3
import subprocess
import sys

from tests.services.children import ROOT

SECONDS = 60  # the promise: a finished result from an empty database


class Demo:
    """`manage.py demo` in a scratch folder of its own, as on a machine that never saw it."""

    def __init__(self, folder):
        self.folder = folder

    def run(self, *arguments):
        kept = {key: value for key, value in os.environ.items() if not key.endswith("_URL")}
        began = os.times()
        done = subprocess.run(
            [sys.executable, "manage.py", "demo", *arguments],
            cwd=ROOT,
            env={**kept, "CROWDWRIGHT_VAR": str(self.folder)},
            capture_output=True,
            text=True,
        )
        ended = os.times()
        # Of computing, with its worker: what other processes take is not its fault.
        self.seconds = sum(ended[2:4]) - sum(began[2:4])
        return done

    def counts(self):
        with sqlite3.connect(self.folder / "crowdwright.sqlite3") as connection:
            names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            return {
                name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]
                for (name,) in names.fetchall()
            }


def grades(said):
    """System -> its mean grades, as the table says."""
    lines = said[said.index("mean grade") :].split("The answers are simulated")[0].splitlines()[1:]
    return {
        re.split(r"\s{2,}", line.strip())[0]: [float(n) for n in re.findall(r"\d\.\d\d", line)]
        for line in lines
    }


def test_it_ends_with_a_grade_table_in_less_than_a_minute_and_once_is_enough(tmp_path):
    """One test, because one machine has one first time."""
    demo = Demo(tmp_path)
    first = demo.run("--no-serve")
    assert first.returncode == 0, first.stderr
    assert demo.seconds < SECONDS
    table = grades(first.stdout)
    assert {"human writers"} < set(table)
    assert all(len(row) == 7 for row in table.values())
    assert all(1 <= grade <= 6 for row in table.values() for grade in row)
    assert "Traceback" not in first.stderr
    before = demo.counts()
    assert before["annotation_study"] == 3
    assert before["annotation_batch"] == 8  # the second of a judging study is for visitors,
    assert before["writing_writing"] == before["writing_processrecord"] == 6  # as are three here
    assert before["analysis_analysisrun"] == 2
    assert before["auth_user"] == 1

    again = demo.run("--no-serve")
    assert again.returncode == 0, again.stderr
    assert demo.counts() == before
    assert grades(again.stdout) == table
    assert "The crowd was here before" in again.stdout
    assert "6 texts are written, 4 wait for review" in first.stdout
    assert "The writers were here before, 4 wait for review" in again.stdout


def test_a_port_that_cannot_be_is_one_sentence_before_any_work(tmp_path):
    done = Demo(tmp_path).run("--port", "70000")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "Port 70000 cannot be used" in done.stderr
    assert not (tmp_path / "crowdwright.sqlite3").exists()
