"""Scores by criterion, scale and total, as Popp et al. print them, with intervals and n."""

import msgspec
import pytest

from analysis.exports.table_files import table_files
from analysis.pages.results.run_results import RunResults
from analysis.pages.results.sections import table_of
from analysis.runs import findings
from judging.design.designing import write_plans
from judging.design.plans import plans_of
from judging.instruments.files import load
from judging.instruments.schema import OptionSpec, TotalSpec
from judging.models import Item, Judgment
from judging.raters.registering import register
from tests.analysis.runs.polls import analysed
from tests.cast import NOW, draft_study, small_corpus

pytestmark = [pytest.mark.django_db, pytest.mark.analyses("totals")]

TEXTS = ("t1a", "t1b", "t1c", "t1d")
SYSTEM = {"t1a": "gpt", "t1b": "gpt", "t1c": "llama", "t1d": "llama"}
RATERS = 5


def study_of(*instruments):
    """Return four texts of two systems on one topic.

    Five experts find a text the better, the earlier its key.
    """
    corpus = small_corpus(responses=4)
    systems = {key: corpus.systems.create(key=key, name=key) for key in ("gpt", "llama")}
    for response in corpus.responses.all():
        response.system = systems[SYSTEM[response.key]]
        response.save()
    study = draft_study(
        instruments=[
            load(instrument) if isinstance(instrument, str) else instrument
            for instrument in instruments
        ],
        corpus=corpus,
    )
    write_plans(
        study=study, plans=plans_of(study=study, seed=1, quota=5, items_per_questionnaire=8)
    )
    raters = [register(name=f"Rater {n}", kind="expert") for n in range(RATERS)]
    answers = []
    for item in Item.objects.filter(study=study):
        keys = {slot.name: slot.response.key for slot in item.slots.all()}
        questions = study.questions.filter(instrument__item_kind=item.kind)
        for question in questions.select_related("instrument"):
            for n, rater in enumerate(raters):
                answers.append(_answer(item, keys, question, rater, n))
    Judgment.objects.bulk_create(answers)
    return analysed(study, pool="experts")


def _answer(item, keys, question, rater, n):
    common = {
        "item": item, "question": question, "rater": rater, "first_at": NOW, "answered_at": NOW
    }  # fmt: skip
    if item.kind == "response":
        place = TEXTS.index(keys["response"])
        if question.instrument.key == "quality-agreement":
            score = int(n >= place)  # five, four, three, two of five say yes
        else:
            score = 5 - place - (n == 0)  # one rater is stricter
        return Judgment(raw=str(score), value=str(score), score=score, **common)
    if question.key.endswith("_worst"):
        slot = max(keys, key=lambda name: keys[name])
    else:
        slot = min(keys, key=lambda name: keys[name])
    if item.kind == "pair" and n == 4:
        return Judgment(raw="n", value="n", **common)  # a tie is a win of nobody
    return Judgment(raw=slot, value=keys[slot], **common)


def rows(run, table):
    return findings.records(findings.tables(run, "totals", table))


def by_unit(run, table):
    return {row["unit"]: row for row in rows(run, table)}


def test_means_of_criteria_scales_and_all():
    run = study_of("direct-quality")
    texts, systems = by_unit(run, "texts"), by_unit(run, "systems")
    for place, text in enumerate(TEXTS):
        mean = 5 - place - 1 / RATERS
        for scale in (
            "honesty",
            "readability",
            "scale_honesty",
            "scale_comprehensibility",
            "total",
        ):
            assert texts[text][scale] == pytest.approx(mean)
    assert systems["gpt"]["total"] == pytest.approx((4.8 + 3.8) / 2)
    (total,) = [r for r in rows(run, "scores") if r["unit"] == "gpt" and r["scale"] == "total"]
    assert (total["n"], total["raters"]) == (2 * 10 * RATERS, RATERS)
    # each rater leans the same way everywhere: sd of five means, 4.0 once and 5.0 four times
    assert total["high"] - total["value"] == pytest.approx(2.776 * 0.4472 / RATERS**0.5, abs=1e-3)


def test_numbers_of_yes_are_added_up():
    """P4: at most 5 by criterion, 25 by scale, 50 in all; of a system 10, 50, 100."""
    run = study_of("quality-agreement")
    texts, systems = by_unit(run, "texts"), by_unit(run, "systems")
    assert [texts[text]["honesty"] for text in TEXTS] == [5, 4, 3, 2]
    assert (texts["t1a"]["scale_honesty"], texts["t1a"]["total"]) == (25, 50)
    assert (systems["gpt"]["honesty"], systems["gpt"]["total"]) == (9, 90)


def without_knowing(*instruments, text, criterion):
    """Return a study in which all raters answer “don't know” to one criterion of one text."""
    study = study_of(*instruments).study
    judgments = Judgment.objects.filter(
        item__slots__response__key=text, question__criterion__key=criterion
    )
    judgments.update(raw="?", value="?", score=None)
    return analysed(study, pool="experts")


def test_only_dont_know_is_no_yes_and_the_system_keeps_its_scores():
    run = without_knowing("quality-agreement", text="t1b", criterion="honesty")
    texts, systems = by_unit(run, "texts"), by_unit(run, "systems")
    assert [texts[text]["honesty"] for text in TEXTS] == [5, 0, 3, 2]
    assert (texts["t1b"]["scale_honesty"], texts["t1b"]["total"]) == (16, 36)
    assert (systems["gpt"]["honesty"], systems["gpt"]["total"]) == (5, 86)
    scores = {(row["unit"], row["scale"]): row for row in rows(run, "scores")}
    assert scores["t1b", "honesty"]["n"] == RATERS
    assert scores["t1b", "honesty"]["dont_know"] == RATERS
    assert scores["gpt", "total"]["dont_know"] == RATERS
    assert scores["t1a", "total"]["dont_know"] == 0
    (named,) = rows(run, "unknown")
    assert (named["unit"], named["criterion"]) == ("t1b", "honesty")
    assert named["dont_know"] == RATERS
    assert "0" in named["counts_as"]


def test_one_dont_know_among_answers_is_no_yes():
    study = study_of("quality-agreement").study
    one = Judgment.objects.filter(
        item__slots__response__key="t1a", question__criterion__key="readability"
    ).first()
    Judgment.objects.filter(pk=one.pk).update(raw="?", value="?", score=None)
    run = analysed(study, pool="experts")
    scores = {(row["unit"], row["scale"]): row for row in rows(run, "scores")}
    assert (scores["t1a", "readability"]["value"], scores["t1a", "readability"]["n"]) == (4, RATERS)
    assert scores["t1a", "readability"]["dont_know"] == 1
    assert rows(run, "unknown") == []


def test_mean_without_grades_is_left_out_and_named():
    file = load("direct-quality")
    (scale,) = file.scales
    unsure = OptionSpec("?", "I don't know", "abstain")
    scale = msgspec.structs.replace(scale, options=[*scale.options, unsure])
    file = msgspec.structs.replace(file, name="unsure", scales=[scale])
    run = without_knowing(file, text="t1b", criterion="honesty")
    assert "honesty" not in by_unit(run, "systems")["gpt"] or (
        by_unit(run, "systems")["gpt"]["honesty"] is None
    )
    (named,) = rows(run, "unknown")
    assert (named["unit"], named["counts_as"]) == ("t1b", "no score")


def test_borda_wins_count_no_ties():
    """Each text meets three others: at most 3 x 5 wins by criterion; one rater in five ties."""
    run = study_of("ab-comparison")
    texts, systems = by_unit(run, "texts"), by_unit(run, "systems")
    assert [texts[text]["honesty"] for text in TEXTS] == [12, 8, 4, 0]
    assert [texts[text]["total"] for text in TEXTS] == [120, 80, 40, 0]
    assert systems["llama"]["scale_comprehensibility"] == 20


def test_best_minus_worst_adds_up_to_nothing():
    run = study_of("best-worst-two")
    texts, systems = by_unit(run, "texts"), by_unit(run, "systems")
    for scale in ("honesty", "comprehensibility", "total"):
        assert sum(row[scale] for row in texts.values()) == 0
        assert sum(row[scale] for row in systems.values()) == 0
    assert texts["t1a"]["honesty"] > 0 > texts["t1d"]["honesty"]
    assert texts["t1b"]["total"] == 0


def test_tables_of_a_page_have_the_names_of_systems():
    run = study_of("direct-quality")
    corpus = run.study.corpus
    corpus.systems.filter(key="gpt").update(name="Model one")
    for stem in ("totals-systems", "totals-scores"):
        texts = {cell.text for row in table_of(RunResults(run), stem).rows for cell in row}
        assert "Model one" in texts
        assert "gpt" not in texts


def test_they_are_files_of_the_run_as_csv_and_latex():
    run = study_of("direct-quality")
    files = {name: b"".join(blocks).decode() for name, _, blocks in table_files(run)}
    assert files["totals-texts.csv"].splitlines()[0].startswith("topic,unit,honesty,")
    assert files["totals-systems.csv"].splitlines()[1].startswith("gpt,")
    assert files["totals-systems.csv"].splitlines()[1].endswith(",direct-quality: mean")
    assert r"\begin{tabular}" in files["totals-texts.tex"]
    assert "Scale honesty" in files["totals-texts.tex"]


def test_any_instrument_may_say_what_is_added_up():
    """No key of an instrument is known to the analysis."""
    file = msgspec.structs.replace(
        load("answer-quality"),
        name="own",
        totals=[TotalSpec("style", ["relevance", "precision"]), TotalSpec("gone", ["x"])],
    )
    found = by_unit(study_of(file), "texts")["t1b"]
    assert found["style"] == pytest.approx((found["relevance"] + found["precision"]) / 2)
    assert "gone" not in found
    assert "total" not in found
