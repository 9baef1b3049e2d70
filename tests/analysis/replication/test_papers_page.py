"""The page *Papers*: tables are checked and compared as by command, and nothing is kept."""

import json
import re
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse

from analysis.replication import views
from analysis.replication.ragelo.games import GAMES
from tests.analysis.replication.test_replicate_ragelo import tournament, write
from tests.cast import rita
from tests.hooks import numbers

pytestmark = pytest.mark.django_db
PRINTED = Path(__file__).parent / "papers"  # tables as the papers print them
SUMS = "text,a,b,total\none,1,2,3\ntwo,4,5,9\nthree,3,8,11\nfour,2,7,19\nfive,6,1,7\n"
FIGURE = "example,g1,g2,Comp\nA,1,0.5,0.979\nB,1,1,0.5\n"


@pytest.fixture
def sent(client):
    client.force_login(rita())

    def send(said=200, **files):
        named = files.pop("named", {})
        content = [SimpleUploadedFile(f"{name}.csv", text.encode()) for name, text in files.items()]
        answer = client.post(reverse("papers"), {"files": content, **named})
        assert answer.status_code == said, answer.text
        return answer

    return send


def test_cells_that_contradict_the_others_are_named(sent):
    page = sent(table7=SUMS)
    (checked,) = page.context["checked"]
    (found,) = checked["table"].contradictions
    assert (found.line, found.target, found.cells[0].fits) == ("four", "total", 9)
    assert "sum of a, b" in page.content.decode()
    assert "data-wrong" not in page.content.decode()


def test_the_wrong_cell_is_named_where_the_table_shows_it(sent):
    page = sent(table23=(PRINTED / "popp" / "table23.csv").read_text())
    rows = re.findall(r"<tr data-wrong>(.*?)</tr>", page.content.decode(), re.DOTALL)
    assert len(rows) == 2
    assert all("Comprehensibility" in row for row in rows)


def test_all_that_a_command_computes_is_on_the_page(sent):
    page = sent(table4=(PRINTED / "rubric" / "table4.csv").read_text(), named={"paper": "rubric"})
    text = page.content.decode()
    assert "Spearman correlation over 6 systems" in text
    assert "0.9429" in text
    assert "GPT4-wiki" in text.partition("data-unread")[2]
    replica = page.context["outcome"].replica
    assert text.count('data-label="Rule"') == sum(len(table.cells) for table in replica.tables)


def test_a_leaderboard_of_62_lines_is_taken(sent):
    lines = [f"s{n},{n + 1},{1 - n / 100:.3f}" for n in range(59)]
    board = "\n".join(["system,official rank,MRR", *lines, "Spearman,,1.0", "Kendall,,0.9"])
    page = sent(leaderboard=board, named={"paper": "rubric"})
    assert page.context["outcome"].replica.wrong == 1
    assert sent(leaderboard=board).context["checked"]


def test_a_file_that_is_not_read_is_named_on_the_page(sent):
    page = sent(figure4=FIGURE, table2="a,b\nc,1\n", named={"paper": "sgss"})
    assert "table2.csv" in page.content.decode().partition("data-unread")[2]


def test_what_a_paper_says_is_computed_again_as_by_command(sent, tmp_path):
    (tmp_path / "figure4.csv").write_text(FIGURE)
    call_command("replicate", "sgss", data=tmp_path, out=tmp_path / "out")
    page = sent(figure4=FIGURE, named={"paper": "sgss"})
    assert page.context["outcome"].replica.wrong == 1
    file = sent(figure4=FIGURE, named={"paper": "sgss", "as": "json"})
    assert file.content == (tmp_path / "out" / "tables.json").read_bytes()
    assert json.loads(file.content)["differing_cells"] == 1
    report = sent(figure4=FIGURE, named={"paper": "sgss", "as": "html"})
    assert report.content == (tmp_path / "out" / "report.html").read_bytes()
    assert report["Content-Disposition"] == 'attachment; filename="sgss-report.html"'


def test_games_are_rated(sent, tmp_path):
    write(tmp_path, tournament(topics=6))
    games = (tmp_path / "pairwise_answers_evaluations.csv").read_text()
    page = sent(pairwise_answers_evaluations=games, named={"paper": "ragelo"})
    agents = [name for name, _ in page.context["outcome"].agents]
    assert len(agents) > 1
    text = page.content.decode()
    assert agents[0] in text
    found = page.context["outcome"].found
    for number in (
        found["elo"]["truncated"][agents[0]]["mean"],
        found["elo"]["float"][agents[0]]["sd"],
    ):
        assert f"{number:.1f}" in text
    assert f"{100 * found['win_average'][agents[0]]:.1f}" in text


@pytest.mark.parametrize(
    ("files", "named", "sentence"),
    [
        ({}, {}, "CSV tables"),
        ({"a": "only one line"}, {}, "a.csv"),
        ({"a": "x," * 80 + "\n1\n"}, {}, "100"),
        ({"a": "x,y\n" + "1,2\n" * 100}, {}, "100"),
        ({"a": SUMS}, {"paper": "popp"}, "none of the tables"),
        ({"a": SUMS}, {"paper": "ragelo"}, "no pairwise_answers"),
    ],
)
def test_what_cannot_be_taken_gets_its_sentence(sent, files, named, sentence):
    page = sent(422, named=named, **files)
    assert sentence in page.context["fault"]
    assert "crowdwright-papers" not in page.content.decode()


@pytest.mark.parametrize(
    "counts", ["0,0,0,0", "9,0,0,0", "1e300,1e300,1,1", "-1,1,0,0", "nan,1,1,1"]
)
def test_counts_of_which_no_kappa_follows_are_no_error(sent, counts):
    page = sent(table5=f"bank,TP,FP,FN,TN,kappa\na,{counts},0.5\n", named={"paper": "rubric"})
    (table,) = page.context["outcome"].replica.tables
    assert "kappa" not in {cell.column for cell in table.cells}


def test_a_name_leads_nowhere_else(sent, client):
    for name in ("x.html", "ü" * 120 + ".csv"):
        files = [SimpleUploadedFile("../../x.csv", SUMS.encode()), SimpleUploadedFile(name, b"x")]
        page = client.post(reverse("papers"), {"files": files})
        assert (page.status_code, ".csv" in page.context["fault"]) == (422, True)


def test_tables_have_a_limit_together(sent):
    """Thirty tables of the largest size took 48 seconds of a web thread."""
    line = ",".join(str(number) for number in range(50))
    table = f"name,{line}\n" + "".join(f"r{n},{line}\n" for n in range(79))
    page = sent(said=422, **{f"t{n}": table for n in range(3)})
    assert "12,240" in page.context["fault"]


def test_an_account_checks_so_many_tables_a_minute(sent):
    for _ in range(10):
        sent(table7=FIGURE)
    assert "429" not in sent(said=429, table7=FIGURE).context["sentence"]


def test_games_have_a_limit(sent, monkeypatch):
    monkeypatch.setattr(views, "MAX_GAMES", 3)
    head = "qid,agent_a,agent_b,answer\n"
    few, many = (head + "".join(f"q{n},a,b,A\n" for n in range(number)) for number in (3, 4))
    named = {"named": {"paper": "ragelo"}}
    name = GAMES.removesuffix(".csv")
    assert sent(**{name: few}, **named).status_code == 200
    fault = sent(said=422, **{name: many}, **named).context["fault"]
    assert numbers(fault) == [3]
