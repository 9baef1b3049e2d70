"""Pairs with an empty answer that nobody judges: recorded as outcomes of a rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.analyses.catalogue import CATALOGUE
from analysis.exports.catalogue import TABLES
from analysis.exports.source import CannotExport, ExportSource
from analysis.inputs.decided_votes import RULE, decided_pairs
from analysis.runs.findings import tables
from annotation.fieldwork.work import assigning
from annotation.models import Response, System
from annotation.studies.drafts.columns import columns_of
from annotation.studies.drafts.schema import Design, Document
from judging.design.plans import undealt_of
from judging.designers.decided import LOSE
from judging.designers.designs import design
from judging.designers.texts import DesignParameters, DesignText
from judging.drafts.workload import decided_note
from judging.items.kinds import Holds
from judging.models import Item, Judgment
from tests.analysis.runs.polls import analysed
from tests.cast import NOW, answer_all, begun, draft_study, open_study, small_corpus, worker

SYSTEMS = {"a": "alpha", "b": "beta", "c": "gamma"}


def corpus_with_empty(*keys):
    """Two topics, three systems; the texts with these keys are empty."""
    corpus = small_corpus(topics=2, responses=3)
    for letter, name in SYSTEMS.items():
        system = System.objects.create(corpus=corpus, key=name, name=name)
        corpus.responses.filter(key__endswith=letter).update(system=system)
    Response.objects.filter(key__in=keys).update(text="", words=0, is_empty=True)
    return corpus


def opened(*keys, empty_answers="lose", quota=3):
    study = draft_study(corpus=corpus_with_empty(*keys), empty_answers=empty_answers)
    return open_study(study, quota=quota)


def pairs_of(study):
    (part,) = study.batches.get().design.get("decided", [{"pairs": []}])
    return [tuple(pair) for pair in part["pairs"]]


# -- Design ----------------------------------------------------------------------------------------
@pytest.mark.django_db
def test_pairs_with_an_empty_answer_are_decided_and_nobody_is_asked():
    study = opened("t1a", "t1b")
    keys = {frozenset(item.key.split("|")) for item in Item.objects.filter(study=study)}
    assert {"t1a", "t1b"}.isdisjoint(frozenset().union(*keys))
    assert len(keys) == 3
    outcomes = {frozenset((a, b)): {"a": a, "b": b, "tie": ""}[winner]
                for _, a, b, winner in pairs_of(study)}  # fmt: skip
    assert outcomes == {
        frozenset(("t1a", "t1b")): "", frozenset(("t1a", "t1c")): "t1c",
        frozenset(("t1b", "t1c")): "t1c",
    }  # fmt: skip
    assert study.batches.get().design["decided"][0]["votes"] == 3


@pytest.mark.django_db
def test_empty_answers_are_shown_by_default():
    study = opened("t1a", empty_answers="shown")
    assert Item.objects.filter(study=study).count() == 6
    assert "decided" not in study.batches.get().design
    assert columns_of(Document(kind="judging"))["empty_answers"] == "shown"
    lose = Document(kind="judging", design=Design(empty_answers="lose"))
    assert columns_of(lose)["empty_answers"] == "lose"


TEXTS = st.lists(st.booleans(), min_size=2, max_size=6)


@given(TEXTS, st.floats(0, 1), st.integers(0, 9))
def test_each_pair_is_judged_or_decided_once(empty, share, seed):
    texts = [DesignText(id=n, topic=1, words=0 if e else 9, is_empty=e, origin="llm")
             for n, e in enumerate(empty)]  # fmt: skip
    texts += [DesignText(id=n, topic=2, words=9, origin="llm") for n in (90, 91)]
    parameters = DesignParameters(
        seed=seed, empty_answers=LOSE, reversed_share=share, items_per_questionnaire=1
    )
    made = design(material={Holds.RESPONSE: texts}, parameters=parameters)
    judged = {frozenset(item.contents) for item in made.items}
    decided = {frozenset((pair.a, pair.b)) for pair in made.decided}
    of_texts = len(empty) * (len(empty) - 1) // 2
    assert judged.isdisjoint(decided)
    assert len(judged) + len(made.decided) == of_texts + 1
    is_empty = {text.id: text.is_empty for text in texts}
    assert not any(is_empty[pk] for pair in judged for pk in pair)
    for pair in made.decided:
        both = is_empty[pair.a] and is_empty[pair.b]
        assert pair.winner == ("tie" if both else "b" if is_empty[pair.a] else "a")


@pytest.mark.django_db
def test_plan_counts_decided_pairs():
    study = draft_study(corpus=corpus_with_empty("t1a"), empty_answers="lose")
    ((made,),) = undealt_of(study=study, seed=1)
    assert len(made.decided) == 2
    assert decided_note(made.decided).startswith("2 ")


# -- Statistics ------------------------------------------------------------------------------------
@pytest.mark.django_db
def test_decided_pairs_count_in_wins_and_ranks_and_in_nothing_else(settings):
    names = ("games", "grades", "agreement", "competence", "mixed", "position")
    settings.ANALYSES = {name: CATALOGUE[name] for name in names}
    study = opened("t1a", "t2a")
    for number in range(3):
        work = begun(study, worker(f"b{number}"))
        answer_all(work)
        assigning.submit(assignment=work, now=NOW)
    run = analysed(study)
    votes = Judgment.objects.count()
    wins = tables(run, "games", "wins").set_index(["system", "against"])
    assert wins.loc[("beta", "alpha"), "points"] == 1
    assert wins.loc[("alpha", "gamma"), "lost"] == 2 * 3
    assert wins["games"].sum() == 2 * (votes + 4 * 3)
    grades = tables(run, "grades", "grades")
    ranks = grades.set_index("response")["rank"] if "rank" in grades else None
    assert set(grades["response"]) == set(Response.objects.values_list("key", flat=True))
    assert ranks is None or ranks["t1a"] == ranks[["t1a", "t1b", "t1c"]].max()
    for name in ("agreement", "competence", "mixed", "position"):
        for result in run.steps.filter(analysis=name):
            assert RULE not in str(result.result.data)
    assert len(decided_pairs(run)) == 4


@pytest.mark.django_db
def test_decided_pairs_are_exported_and_a_study_without_them_has_no_such_file():
    table = TABLES["decided_pairs"]
    source = ExportSource.of(opened("t1a"))
    rows = list(table.rows(source))
    assert [row["votes"] for row in rows] == [3, 3]
    assert {row["winner"] for row in rows} <= {"a", "b"}
    assert list(rows[0]) == [column.key for column in table.columns]
    source.study.batches.update(design={})
    with pytest.raises(CannotExport):
        table.check(ExportSource.of(source.study))
