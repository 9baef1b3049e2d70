"""Wins, points and Elo ratings of the systems of a study, from its votes."""

from collections import Counter

import pandas as pd
import pytest

from analysis.analyses.catalogue import CATALOGUE
from analysis.analyses.games import ONE_SYSTEM
from analysis.analyses.groups import UNNAMED
from analysis.models import AnalysisRun, Result
from analysis.runs.findings import tables
from annotation.models import Study
from annotation.models.corpus import Origin
from judging.models import Judgment
from tests.analysis.inputs.test_scores import SEED, SYSTEMS, corpus
from tests.analysis.whole_parts import whole_part
from tests.cast import rita
from tests.judging.instruments.test_every_instrument import command

pytestmark = pytest.mark.django_db(transaction=True)


def test_texts_without_a_system_have_a_name_whatever_their_origin():
    """Groups, the mixed model and games call them alike; no other origin can be stored."""
    assert set(UNNAMED) == set(Origin.values)
    assert len(set(UNNAMED.values())) == len(UNNAMED)


def judged(**options):
    """Four systems of known order on six topics, compared by 60 simulated people."""
    made = corpus("quality_overall")
    command(
        "create_study", "lamps", corpus="lamps", instrument="ab-comparison", seed=SEED,
        launch=True, contact="Rita", items=12, quota=4, **options,
    )  # fmt: skip
    return made


def analysed():
    command("simulate", "lamps", workers=60, seed=1, spammers=0.1)
    command("close_batch", "lamps")
    command("analyse", "lamps", draws=20)
    return AnalysisRun.objects.latest("pk")


@pytest.fixture
def games_alone(settings):
    """No other analysis is looked at; texts by people alone go through all of them, below."""
    settings.ANALYSES = {"games": CATALOGUE["games"]}


@pytest.mark.usefixtures("games_alone")
def test_points_ratings_and_wins_come_from_the_votes(client):
    judged()
    run = analysed()
    names = {name.lower() for name in SYSTEMS}
    key = "honesty"
    points = tables(run, "games", "wins").query("question == @key")
    assert set(zip(points["system"], points["against"], strict=True)) == {
        (a, b) for a in names for b in names if a != b
    }
    votes = Judgment.objects.filter(question__key=key).count()
    assert points["games"].sum() == 2 * votes
    both = points.set_index(["system", "against"])["points"]
    assert all(both[a, b] + both[b, a] == pytest.approx(1) for a, b in both.index)
    assert points[["low", "high"]].notna().all(axis=None) == (points["why"] == "").all()
    elo = tables(run, "games", "elo").query("question == @key")
    assert elo["rating"].mean() == pytest.approx(1000)
    assert list(elo["rating"]) == sorted(elo["rating"], reverse=True)
    won = (points["won"] / points["games"]).groupby(points["system"]).mean()
    assert elo.set_index("system")["average"].to_dict() == pytest.approx(won.to_dict())
    borda = tables(run, "games", "borda").query("question == @key")
    chosen = Counter(
        Judgment.objects.filter(question__key=key, raw__in="ab").values_list("value", flat=True)
    )
    assert borda.set_index("response")["wins"].to_dict() == {
        response: chosen[response] for response in borda["response"]
    }  # a tie, and both bad, is a win of nobody
    client.force_login(rita())
    study = Study.objects.get()
    page = client.get(whole_part(study.slug, study.version, "systems"))
    text = page.content.decode()
    assert 'id="games"' in text


@pytest.mark.usefixtures("games_alone")
def test_texts_without_a_system_are_called_as_everywhere_on_the_page():
    made = judged()
    made.responses.filter(system__key="amber").update(system=None, origin="human")
    elo = tables(analysed(), "games", "elo")
    assert set(elo["system"]) == {"human writers", "birch", "cedar", "dune"}


def test_texts_by_people_alone_have_no_games():
    made = judged()
    made.responses.update(system=None, origin="human")
    run = analysed()
    said = set(Result.objects.filter(step__run=run, step__analysis="games").values_list("missing"))
    assert said == {(ONE_SYSTEM,)}
    assert isinstance(tables(run, "games", "elo"), pd.DataFrame)
