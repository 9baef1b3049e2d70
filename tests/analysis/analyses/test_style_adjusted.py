"""Systems at equal style: from votes and texts to tables and the page."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis.analyses import style_adjusted
from analysis.analyses.catalogue import CATALOGUE
from analysis.inputs.analysis_input import frame_of
from analysis.stats.errors import CannotCompute
from analysis.stats.text.style_measures import style_measures
from tests.analysis.analyses.test_mixed import asked

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
    assert list(tables["measures"]["measure"]) == [
        "words", "citations", "structure", "reading ease",
    ]  # fmt: skip
    # The votes were drawn without a taste for style.
    covered = (tables["measures"]["low"] < 0) & (tables["measures"]["high"] > 0)
    assert covered.sum() >= 3


def test_a_system_of_long_texts_alone_is_refused_by_name():
    with pytest.raises(CannotCompute, match=r"Amber has more words than") as refusal:
        style_adjusted.style_adjusted(with_texts(asked(systems=3), longer=500))
    assert refusal.value.code == "style_confounded"
