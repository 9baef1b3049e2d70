"""Formulas that KaTeX draws on a page, found without a browser."""

import json
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.corpora.corpus_files import CorpusFile
from annotation.corpora.importing import import_corpus
from annotation.texts.formula_check import KATEX, formulas_of, is_drawn
from tests.services.chromium import find_node

ORACLE = """
const page = require("vm").createContext({});
require("vm").runInContext(require("fs").readFileSync(%s, "utf-8"), page);
const limits = {trust: false, strict: "ignore", maxSize: 20, maxExpand: 200, throwOnError: true};
try { page.katex.renderToString(%s, limits); console.log(1) } catch { console.log(0) }
"""
DRAWN = ["$x^2$", r"\[\begin{align}a&=b\\c&=d\end{align}\]", "$日本_1$", r"$$\frac{a}{b}$$"]
UNDRAWN = [r"\(\foo\)", r"$\frac{a}{b$", "$a^b^c$", r"$\href{http://a}{b}$",
           r"$\def\a{\a\a}\a$", r"$\ce{H2O}$", r"$$\begin{tabular}x\end{tabular}$$"]  # fmt: skip


@pytest.mark.parametrize("formula", DRAWN)
def test_katex_draws_formula(formula):
    assert is_drawn(formula, formula.startswith(("$$", "\\[")))


@pytest.mark.parametrize("formula", UNDRAWN)
def test_katex_refuses_formula(formula):
    assert not is_drawn(formula, formula.startswith("$$"))


def test_formulas_are_those_that_a_page_marks():
    text = "So $x^2$, `$code$`, $5 or $6.\n\n> \\[\n> y\n> \\]\n\n- a $$z$$"
    assert formulas_of(text) == [("$x^2$", False), ("\\[\ny\n\\]", True), ("$$z$$", True)]


def test_the_file_of_the_page_is_the_one_that_checks():
    assert f"vendor/{KATEX.parent.name}/katex.min.js" in (
        KATEX.parents[3] / "templates/_formulas.html"
    ).read_text(encoding="utf-8")


@given(st.text("\\{}^_ab&$%# 1", max_size=12))
@settings(deadline=None, max_examples=30)
def test_any_formula_is_drawn_as_node_draws_it(source):
    """The oracle: KaTeX as published renders it, in Node."""
    script = ORACLE % (json.dumps(str(KATEX)), json.dumps(source))
    told = subprocess.run(
        [str(find_node()), "-e", script], capture_output=True, text=True, check=True
    )
    assert is_drawn(f"\\({source}\\)", False) == (told.stdout.strip() == "1")


@pytest.mark.django_db
def test_the_check_counts_formulas_that_are_not_drawn_and_names_their_rows(tmp_path):
    path = tmp_path / "topics.csv"
    rows = ["t1,Why $x^2$?", r"t2,Why $\foo$ and $\foo$ and \(a^b^c\)?", r"t3,$\ce{H2O}$", "t4,$5"]
    path.write_text("topic,query\n" + "\n".join(rows) + "\n", encoding="utf-8")
    report = import_corpus(slug="a", name="", files=[CorpusFile(path)])
    assert {place.rpartition(":")[2]: len(found) for place, found in report.formulas.undrawn.items()
            } == {"3": 2, "4": 1}  # fmt: skip
    assert len(report.formulas.remarks) == len(report.remarks) == 1


@pytest.mark.django_db
def test_formulas_beyond_the_limit_are_counted_as_not_checked(tmp_path, monkeypatch):
    monkeypatch.setattr("annotation.corpora.formula_counts.MOST_TRIED", 1)
    path = tmp_path / "topics.csv"
    path.write_text("topic,query\nt1,$x^2$ and $x^2$\nt2,$y_1$\n", encoding="utf-8")
    assert import_corpus(slug="a", name="", files=[CorpusFile(path)]).formulas.untried == 1
