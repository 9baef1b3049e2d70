"""Measure saves and cycles a second beside Potato, in turns: `python -m benchmarks.potato`.

Potato (PyPI: potato-annotation) is installed into an environment of its own, from the hashes in
packages/potato.txt, and served as its manual says: gunicorn with one worker process, because a
second one would lose answers, and eight threads. Ours are two web processes and a durable
PostgreSQL, as in saving.py. Both have 15 items of two short texts and seven questions with three
options for each of 50 participants, and get their requests from the same closed-loop client.

A save is one answer. A cycle consists of the requests of the tool's own page for an item: Potato's
saves the seven answers in one request, asks for the next item, and loads its page; ours saves them
in one request, and gets pages as in saving.py, whose sessions begin with different items. Scripts,
styles and what Potato's page asks for besides are left out. Each round starts with new participants
(and, as its files grow, a new Potato); afterwards each acknowledged answer is looked up in Potato's
files and in our database. The second half repeats this while other processes compute for a third
of each core. Options: --seconds 10, --rounds 3, --no-steal, --keep FOLDER (of the environment).
Needs Linux (/proc) and the network.
"""

import argparse
import http.client
import json
import statistics
import tempfile
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks import saving
from benchmarks.other_packages import python_of
from benchmarks.reporting import Row, load_now, report
from benchmarks.sessions import Answer, Load, Request, Turn, Turns, measure, values
from tests.services.children import Child, free_port

ITEMS, QUESTIONS = saving.ITEMS, 7
KINDS = {"saves": "saving a judgment", "cycles": "a full cycle: an item and all its answers"}
RATIOS = {"saves": 4.5, "cycles": 15}
STOLEN = 1 / 3
THREADS = 8  # of gunicorn: the default of Potato's image
SAVED = b'"status":"success"'  # a refused save is a 200, too


@dataclass(frozen=True)
class Annotator:
    """Potato's pages of one participant. The last item stays open, or the task would end."""

    name: str
    cookie: str

    def saves(self) -> Turns:
        for value in values():
            for item in range(ITEMS - 1):
                for question in range(QUESTIONS):
                    yield self.answered(item, [question], value)

    def cycles(self) -> Turns:
        for value in values():
            for item in range(ITEMS - 1):
                turn, saved = self.answered(item, list(range(QUESTIONS)), value)
                following = (item + 1) % (ITEMS - 1)
                going: dict[str, object] = {"action": "next_instance", "instance_id": f"i{item}"}
                if following == 0:
                    going = {"action": "go_to", "go_to": 0}
                shown = f"Text a of {following}.".encode()
                page = Request("POST", "/annotate", json.dumps(going).encode(), shown)
                yield [*turn, page, Request("GET", "/annotate", expected=shown)], saved

    def answered(
        self, item: int, questions: list[int], value: str
    ) -> tuple[Turn, dict[Answer, str]]:
        """One answer or those of a page, in the form of Potato's own page."""
        answers = {f"q{question}:{value}": value for question in questions}
        sent = {"instance_id": f"i{item}", "annotations": answers, "span_annotations": []}
        request = Request("POST", "/updateinstance", json.dumps(sent).encode(), SAVED)
        return [request], {(f"i{item}", f"q{question}"): value for question in questions}


def write_project(folder: Path, participants: int) -> None:
    """Write a project with our items and questions."""
    (folder / "data").mkdir(parents=True)
    with (folder / "data" / "items.json").open("w") as file:
        for item in range(ITEMS):
            text = f"what is lamp 1?<hr>Text a of {item}.<hr>Text b of {item}."
            file.write(json.dumps({"id": f"i{item}", "text": text}) + "\n")
    schemes = [
        {
            "annotation_type": "radio",
            "name": f"q{question}",
            "description": f"Question {question}: which text is better?",
            "labels": ["a", "n", "b"],
        }
        for question in range(QUESTIONS)
    ]
    config = {
        "annotation_task_name": "Lamps",
        "task_dir": ".",
        "output_annotation_dir": "output/",
        "output_annotation_format": "json",
        "data_files": ["data/items.json"],
        "item_properties": {"id_key": "id", "text_key": "text"},
        "user_config": {"allow_all_users": True, "users": []},
        "require_password": False,
        "max_annotations_per_user": ITEMS,
        "max_annotations_per_item": participants,
        "assignment_strategy": "fixed_order",
        "annotation_schemes": schemes,
        "site_dir": "default",
    }
    (folder / "config.yaml").write_text(json.dumps(config))  # JSON is YAML


@contextmanager
def potato(python: Path, folder: Path, participants: int) -> Iterator[tuple[str, Child]]:
    """Potato's server on a new project: its address and process."""
    write_project(folder, participants)
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    child = Child(
        [
            *(python, "-m", "gunicorn", "--bind", f"127.0.0.1:{port}", "--workers", "1"),
            *("--threads", str(THREADS), "--timeout", "120"),
            "potato.flask_server:create_app('config.yaml')",
        ],
        log=folder / "server.log",
        cwd=folder,
        env={"POTATO_SECRET_KEY": "benchmark", "POTATO_NONINTERACTIVE": "1"},
    )

    def answers() -> bool:
        try:
            urllib.request.urlopen(f"{url}/health", timeout=10).close()
        except OSError:
            return False
        return True

    try:
        child.wait_until(answers)
        yield url, child
    finally:
        child.stop()


def arrive(url: str, participants: int) -> list[Annotator]:
    """Sign all participants in, and open their first page."""
    arrived = []
    for number in range(participants):
        name = f"p{number}"
        connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=60)
        form = urllib.parse.urlencode({"email": name, "pass": "", "action": "login"})
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", "/auth", form, headers)
        answer = connection.getresponse()
        answer.read()
        cookie = (answer.getheader("Set-Cookie") or "").split(";")[0]
        connection.request("GET", "/annotate", headers={"Cookie": cookie})
        page = connection.getresponse()
        if page.status != 200 or b"Text a of 0." not in page.read():
            raise SystemExit(f"Potato did not show its first item: {page.status}")
        connection.close()
        arrived.append(Annotator(name, cookie))
    return arrived


def require_stored(folder: Path, annotators: list[Annotator], load: Load) -> None:
    """Check that Potato's files have the last acknowledged value of each answer."""
    for annotator, saved in zip(annotators, load.saved, strict=True):
        state = json.loads((folder / "output" / annotator.name / "user_state.json").read_text())
        stored = {
            (item, label["schema"]): value
            for item, labels in state["instance_id_to_label_to_value"].items()
            for label, value in labels
        }
        saving.require_same(saved, stored)


def measure_potato(
    kind: str, python: Path, folder: Path, options: argparse.Namespace, stolen: float
) -> Load:
    with potato(python, folder, options.sessions) as (url, child):
        annotators = arrive(url, options.sessions)
        load = measure(
            kind,
            annotators,
            urls=[url],
            servers=[child.pid],
            seconds=options.seconds,
            stolen=stolen,
        )
    require_stored(folder, annotators, load)
    return load


def in_turns(
    python: Path,
    folder: Path,
    options: argparse.Namespace,
    stolen: float,
    servers: tuple[list[str], list[int]],
) -> dict[str, list[tuple[Load, Load]]]:
    """Return ours and Potato's loads of each kind and round; `servers` are our urls and pids."""
    loads: dict[str, list[tuple[Load, Load]]] = {kind: [] for kind in KINDS}
    urls, processes = servers
    for turn in range(options.rounds):
        for kind in KINDS:
            name = f"{kind}-{turn}-{'stolen' if stolen else 'all'}"
            theirs = measure_potato(kind, python, folder / name, options, stolen)
            questionnaires = saving.prepare(options.sessions, slug=name, urls=urls)
            ours = measure(
                kind,
                questionnaires,
                urls=urls,
                servers=processes,
                seconds=options.seconds,
                stolen=stolen,
            )
            saving.require_stored(questionnaires, ours.saved)
            print(f"{name}: {ours.rate:.1f} and {theirs.rate:.1f} a second", flush=True)
            loads[kind].append((ours, theirs))
    return loads


def rows_of(loads: dict[str, list[tuple[Load, Load]]], n: str) -> list[Row]:
    """Medians of all rounds: rates, and CPU of the servers."""
    rows = []
    for kind, what in KINDS.items():
        rates = [(ours.rate, theirs.rate) for ours, theirs in loads[kind]]
        cpus = [(ours.cpu_ms, theirs.cpu_ms) for ours, theirs in loads[kind]]
        by_round = ", ".join(f"{ours:.0f} and {theirs:.3g}" for ours, theirs in rates)
        saves = sum(ours.saves + theirs.saves for ours, theirs in loads[kind])
        for label, pairs, unit, ratio, remark in (
            (what, rates, "/s", RATIOS[kind], f"by round {by_round}"),
            (f"{what}, CPU of all servers", cpus, "ms", None, f"{saves:,} answers, none lost"),
        ):
            rows.append(
                Row(
                    what=label,
                    n=n,
                    ours=statistics.median(ours for ours, _ in pairs),
                    unit=unit,
                    peer=statistics.median(theirs for _, theirs in pairs),
                    peer_name="Potato",
                    least_ratio=ratio,
                    remark=remark,
                )
            )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--web", type=int, default=2, help="our web server processes")
    parser.add_argument("--steal", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--keep", type=Path, help="a folder for Potato's environment")
    options = parser.parse_args()
    busy = load_now()
    rows = []
    n = f"{options.sessions} sessions, {options.rounds} rounds of {options.seconds:g} s"
    halves = {n: 0.0}
    if options.steal:
        halves[f"{n}, a third of the CPU stolen"] = STOLEN
    with (
        tempfile.TemporaryDirectory(prefix="crowdwright-potato-") as name,
        saving.servers(options.web) as servers,
    ):
        folder = Path(name)
        python = python_of("potato", (options.keep or folder).absolute())
        for half, stolen in halves.items():
            rows += rows_of(in_turns(python, folder, options, stolen, servers), half)
            report("potato", rows, load=busy, notes=(NOTE,))


NOTE = """Potato 2.12.1 as its manual says: gunicorn with one worker process and eight threads. \
Ours: two web processes and a durable PostgreSQL. Medians of rounds in turns; the client runs on \
the same two cores."""

if __name__ == "__main__":
    main()
