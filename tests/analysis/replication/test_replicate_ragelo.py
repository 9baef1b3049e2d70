"""`replicate ragelo` on made-up games: what it writes, what it refuses."""

import csv
import json
from io import StringIO
from itertools import combinations

import numpy as np
import pytest
from django.core.management import call_command

from analysis.replication.ragelo.games import GAMES, BadGames, read_games
from analysis.replication.ragelo.report import report
from analysis.replication.ragelo.tables import tables
from tests.coded_errors import command_ends, raises

AGENTS = ("BM25", "RAG-Hybrid", "RAGF-Hybrid")


def write(folder, rows, columns=("qid", "agent_a", "agent_b", "answer", "raw_answer")):
    with (folder / GAMES).open("w", newline="", encoding="utf-8") as lines:
        writer = csv.writer(lines)
        writer.writerow(columns)
        writer.writerows(rows)
    return folder


def tournament(topics=40, seed=8):
    """Return a tournament in which later agents win more; sides are drawn."""
    rng = np.random.default_rng(seed)
    rows = []
    for topic in range(topics):
        for weak, strong in combinations(AGENTS, 2):
            outcome = rng.choice(["strong", "weak", "tie"], p=[0.6, 0.25, 0.15])
            turned = bool(rng.integers(2))
            first, second = (strong, weak) if turned else (weak, strong)
            winner = {"strong": "A" if turned else "B", "weak": "B" if turned else "A"}
            answer = winner.get(outcome, "C")
            rows.append((f"q{topic}", first, second, answer, f"Because,\nso [[{answer}]]"))
    return rows


def write_results(folder, rows, name="trial_results.jsonl"):
    """As ragelo 0.7.0 writes them, among evaluations of other kinds."""
    common = {"evaluator_name": "pairwise", "exception": None, "usage": None}
    lines = [{"qid": "q0", "did": "d1", "evaluator_name": "reasoner", "answer": {"score": 2}}]
    for qid, first, second, winner, _ in rows:
        answer = {"answer_format": "pairwise", "winner": winner} if winner else None
        game = {"agent_a": first, "agent_b": second, "game_id": f"{first}-{second}"}
        lines.append({"qid": qid, "answer": answer, **common, **game})
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def replicated(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ragelo")
    output = StringIO()
    data = write(folder, [*tournament(), ("q1", *AGENTS[:2], "", "I cannot say")])
    call_command("replicate", "ragelo", data=data, out=folder / "out", stdout=output)
    found = json.loads((folder / "out" / "tables.json").read_text())
    return found, (folder / "out" / "report.html").read_text(), output.getvalue()


def test_ratings_and_wins_are_in_the_tables(replicated):
    found, _, said = replicated
    for mode in ("float", "truncated"):
        means = [found["elo"][mode][agent]["mean"] for agent in AGENTS]
        assert means == sorted(means)
        assert all(found["elo"][mode][agent]["sd"] > 0 for agent in AGENTS)
    exact, cut = (
        np.mean([found["elo"][mode][agent]["mean"] for agent in AGENTS])
        for mode in ("float", "truncated")
    )
    assert exact == pytest.approx(1000)
    assert cut < 1000
    assert found["counts"] == {
        "games": 120, "ties": found["counts"]["ties"], "unanswered": 1, "topics": 40, "agents": 3,
    }  # fmt: skip
    wins = found["win_matrix"]
    ties = found["counts"]["ties"] / 40
    assert sum(wins[a][b] for a in AGENTS for b in AGENTS if a != b) == pytest.approx(3 - ties)
    assert found["win_average"]["BM25"] == pytest.approx(np.mean(list(wins["BM25"].values())))
    assert said.index("RAGF-Hybrid") < said.index("BM25")


def test_the_report_stands_alone_and_shows_what_was_printed(replicated):
    _, page, _ = replicated
    assert "<script" not in page
    for outside in ('src="', "@import", 'href="http', "url("):
        assert outside not in page
    assert page.count("<caption>") == page.count("<table>") == 2
    assert "501.8" in page
    assert "44.3" in page


def test_the_same_games_give_the_same_tables(tmp_path):
    played = read_games(write(tmp_path, tournament(5)))
    assert tables(played) == tables(played)
    assert "–" in report(tables(played))  # BM25 has no printed average


@pytest.mark.parametrize(
    ("rows", "code", "shown"),
    [
        ([("q1", "a", "b", "D", "")], "invalid_rows", r"\b2\b.*'D'"),
        ([("q1", "a", "a", "A", "")], "invalid_rows", r"\b2: a "),
        ([("q1", "a", "", "A", "")], "invalid_rows", r"\b2: .*\bqid\b"),
        ([("q1", "a", "b", "X", "")] * 30, "invalid_rows", r"\b10 "),
        ([], "no_games", ""),
    ],
)
def test_bad_games_are_named(tmp_path, rows, code, shown):
    with raises(BadGames, code, match=shown):
        read_games(write(tmp_path, rows))


def test_the_command_refuses_with_a_sentence(tmp_path):
    with command_ends(BadGames, "missing_files", match=GAMES):
        call_command("replicate", "ragelo", data=tmp_path, out=tmp_path / "out")
    write(tmp_path, [], columns=("qid", "agent_a", "answer"))
    with command_ends(BadGames, "missing_columns", match="agent_b"):
        call_command("replicate", "ragelo", data=tmp_path, out=tmp_path / "out")
    (tmp_path / GAMES).write_bytes(b"qid,agent_a,agent_b,answer\n\xff,a,b,A\n")
    with command_ends(BadGames, "unreadable"):
        call_command("replicate", "ragelo", data=tmp_path, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_answers_in_brackets_and_small_letters_are_read(tmp_path):
    played = read_games(write(tmp_path, [("q", "a", "b", "[[A]]", ""), ("q", "a", "b", " c ", "")]))
    assert list(played.frame["score"]) == [1, 0.5]


def test_results_of_ragelo_0_7_are_the_same_games(tmp_path):
    games = [*tournament(), ("q1", *AGENTS[:2], "", "")]
    older, newer = tmp_path / "older", tmp_path / "newer"
    older.mkdir()
    newer.mkdir()
    read = [read_games(write(older, games)), read_games(write_results(newer, games))]
    assert read[0].frame.equals(read[1].frame)
    assert read[0].unanswered == read[1].unanswered == 1


def test_a_folder_with_two_files_of_games_is_refused(tmp_path):
    write(tmp_path, tournament(topics=1))
    write_results(tmp_path, tournament(topics=1))
    with raises(BadGames, "several_files"):
        read_games(tmp_path)


def test_broken_results_are_named(tmp_path):
    (tmp_path / "trial_results.jsonl").write_text("{")
    with raises(BadGames, "unreadable", match=r"trial_results\.jsonl"):
        read_games(tmp_path)
    write_results(tmp_path, [("q1", "a", "a", "A", ""), ("q1", "a", "b", "D", "")])
    with raises(BadGames, "invalid_rows", match=r"\b2: a .*\b3: .*'D'"):
        read_games(tmp_path)
