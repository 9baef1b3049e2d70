"""Systems at equal style: from votes and texts to tables and the page."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import scipy

from analysis.analyses import style_adjusted
from analysis.analyses.catalogue import CATALOGUE
from analysis.inputs.analysis_input import frame_of
from analysis.pages.results.findings_json import as_json
from analysis.runs.findings import tables
from analysis.stats.bradley_terry import style_adjustment
from analysis.stats.bradley_terry.mixed import fit_mixed
from analysis.stats.text.style_measures import style_measures
from annotation.models import Response
from tests.analysis.analyses.test_mixed import asked, judged
from tests.analysis.coded_errors import cannot_compute
from tests.analysis.runs.polls import analysed, closed
from tests.analysis.whole_parts import whole_part
from tests.cast import rita

WORDS = [
    "The",
    "lamp",
    "is",
    "warm",
    "and",
    "people",
    "like",
    "it",
    "because",
    "light",
    "helps",
    "them",
    "read",
    "at",
    "night",
]


def written(length, cites=0, bullets=0):
    words = [WORDS[k % len(WORDS)] for k in range(length)]
    text = " ".join(words) + "." + "".join(f" It is so [{k}]." for k in range(cites))
    return text + "".join(f"\n- **point** {k}" for k in range(bullets))


def with_texts(data, longer=0):
    rng = np.random.default_rng(2)
    rows = []
    for key, system in data.responses[["response", "system"]].itertuples(index=False):
        length = rng.integers(60, 200) + longer * (system == "Amber")
        text = written(int(length), int(rng.integers(0, 6)), int(rng.integers(0, 5)))
        rows.append({"response": key, "text": text})
    return replace(data, texts=pd.DataFrame(rows))


def test_measures_count_words_citations_structure_and_ease():
    texts = ["One two three. [0][2]", "# Head\n\n- a **b**\n2. c", "a*b*c __d__ - e"]
    found = style_measures(pd.DataFrame({"response": list("xyz"), "text": texts}))
    counts = np.expm1(found).round(6)
    assert counts.loc["x", ["words", "citations", "structure"]].tolist() == [3, 2, 0]
    assert counts.loc["y", "structure"] == 4
    assert counts.loc["z", "structure"] == 1
    assert found["reading ease"].notna().all()


def test_differences_stand_beside_those_of_the_mixed_model():
    data = with_texts(asked(systems=3))
    tables = {name: frame_of(each) for name, each in style_adjusted.style_adjusted(data).items()}
    plain = frame_of(CATALOGUE["mixed"].function(data)["differences"])
    differences = tables["differences"]
    assert list(differences["system"]) == list(plain["system"])
    assert differences["plain"].to_numpy() == pytest.approx(plain["difference"].to_numpy())
    assert (differences["inflation"] >= 1).all()
    assert (differences["low"] < differences["difference"]).all()
    half = (differences["high"] - differences["difference"]) / scipy.stats.t.ppf(0.975, 19)
    p = 2 * scipy.stats.t.sf((differences["difference"] / half).abs(), 19)
    assert (differences["p_adjusted"] >= p - 1e-12).all()  # 20 topics and workers; 3 pairs
    assert (differences["p_adjusted"] <= np.minimum(3 * p, 1) + 1e-12).all()
    assert list(tables["measures"]["measure"]) == [
        "words", "citations", "structure", "reading ease",
    ]  # fmt: skip
    # The votes were drawn without a taste for style.
    covered = (tables["measures"]["low"] < 0) & (tables["measures"]["high"] > 0)
    assert covered.sum() >= 3


def test_a_system_of_long_texts_alone_is_refused_by_name():
    with cannot_compute("style_confounded", match="Amber"):
        style_adjusted.style_adjusted(with_texts(asked(systems=3), longer=500))


@pytest.mark.django_db(transaction=True)
@pytest.mark.analyses("mixed", "style_adjusted")
def test_the_model_without_style_is_that_of_the_earlier_step(monkeypatch):
    fits = []

    def counted(*votes, **options):
        fits.append(options)
        return fit_mixed(*votes, **options)

    monkeypatch.setattr(style_adjustment, "fit_mixed", counted)
    study = closed(judged(topics=40, workers=10))
    rng = np.random.default_rng(5)
    for response in Response.objects.all():
        text = written(int(rng.integers(40, 160)), int(rng.integers(0, 6)), int(rng.integers(0, 5)))
        Response.objects.filter(pk=response.pk).update(text=text)
    run = analysed(study)
    assert len(fits) == 1  # with style
    plain, beside = (tables(run, name, "differences") for name in ("mixed", "style_adjusted"))
    assert beside["plain"].tolist() == pytest.approx(plain["difference"].tolist(), abs=1e-9)
    assert beside["plain_low"].tolist() == pytest.approx(plain["low"].tolist(), abs=1e-9)


@pytest.mark.django_db(transaction=True)
@pytest.mark.analyses("style_adjusted")
def test_page_and_findings_have_both_differences(client):
    study = closed(judged(topics=40, workers=10))
    rng = np.random.default_rng(5)
    for response in Response.objects.all():
        text = written(int(rng.integers(40, 160)), int(rng.integers(0, 6)), int(rng.integers(0, 5)))
        Response.objects.filter(pk=response.pk).update(text=text)
    run = analysed(study)
    (row,) = as_json(run)["equal_style"]["better"]
    assert (row["system"], row["other"]) == ("LLM writers", "human writers")
    assert row["plain"]["low"] > 0
    assert row["difference"]["low"] > 0  # style was drawn alike for both
    assert row["difference"]["n"] == row["plain"]["n"]
    client.force_login(rita())
    page = client.get(whole_part(study.slug, study.version, "systems")).text
    section = page.partition('id="style_adjusted"')[2]
    assert section.count("<figure") == 1
    assert section.count("<tr") >= 4  # of both tables


def test_its_steps_follow_those_of_the_mixed_model_and_run_beside_groups():
    stages = [CATALOGUE[name].stage for name in ("mixed", "grades", "style_adjusted", "groups")]
    assert stages == [1, 2, 3, 3]
