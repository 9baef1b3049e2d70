"""A reference beside two drawn texts, and a text with as many documents as its topic has.

No instrument that comes along has items like these: the kinds, designers and instruments are those
of this test. From `create_study` over a Chromium to the frames of an analysis.
"""

import json
from functools import partial
from io import StringIO
from itertools import combinations
from operator import eq
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, expect

from annotation.models import Passage, Study
from judging.designers import designs
from judging.designers.designs import Designer
from judging.designers.planned_items import ListedItems
from judging.designers.questionnaires import PlannedItem
from judging.designers.texts import DesignParameters, Material
from judging.instruments.files import as_json
from judging.instruments.schema import CriterionSpec, OptionSpec, QuestionSpec, ScaleSpec
from judging.items import kinds
from judging.items.kinds import Holds, ItemKind, Slot
from judging.models import Judgment, Presentation
from tests.cast import PREFERENCE, small_corpus, tiny_instrument
from tests.journeys.test_judging_study import begin, saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

REFERENCED = ItemKind(
    "referenced",
    (
        Slot("reference", "Reference", judged=False),
        Slot("a", "Left", drawn=True),
        Slot("b", "Right", drawn=True),
    ),
    designer="referenced",
)
DOCUMENTED = ItemKind(
    "documented",
    (
        Slot("response", "Text", judged=False),
        Slot("d", "Document", holds=Holds.PASSAGE, repeated=True),
    ),
    designer="documented",
)
SUPPORT = ScaleSpec(
    key="support",
    kind="options",
    options=[
        OptionSpec(code="yes", label="Yes", role="score", score=1),
        OptionSpec(code="no", label="No", role="score", score=0),
    ],
)


def referenced(
    kind: ItemKind, material: Material, parameters: DesignParameters, rng: Any
) -> ListedItems:
    """Return the first text of a topic beside each pair of its others."""
    first, *others = material[Holds.RESPONSE]
    return ListedItems(
        tuple(
            PlannedItem((first.id, a.id, b.id), first.topic or 0, 100, (a.id, b.id))
            for a, b in combinations(others, 2)
        )
    )


def documented(
    kind: ItemKind, material: Material, parameters: DesignParameters, rng: Any
) -> ListedItems:
    """Each text with all passages: the first text has one less."""
    documents = tuple(text.id for text in material[Holds.PASSAGE])
    return ListedItems(
        tuple(
            PlannedItem((text.id, *documents[n == 0 :]), text.topic or 0, 100, text.id)
            for n, text in enumerate(material[Holds.RESPONSE])
        )
    )


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Study:
    for kind, make in ((REFERENCED, referenced), (DOCUMENTED, documented)):
        monkeypatch.setitem(kinds.KINDS, kind.name, kind)
        designer = Designer(make, partial(eq, kind))
        monkeypatch.setitem(designs.DESIGNERS, kind.name, designer)
    corpus = small_corpus(responses=4)
    for rank in (1, 2, 3):
        Passage.objects.create(
            topic=corpus.topics.get(), key=f"p{rank}", rank=rank, text=f"Passage {rank} shines."
        )
    files = [
        tiny_instrument(item_kind="referenced", name="nearer", scales=[PREFERENCE]),
        tiny_instrument(
            item_kind="documented",
            name="supported",
            criteria=[CriterionSpec("support", "Support")],
            scales=[SUPPORT],
            questions=[
                QuestionSpec("support", "support", "support", "Is it supported by it?", "slot")
            ],
        ),
    ]
    paths = []
    for file in files:
        paths.append(tmp_path / f"{file.name}.json")
        paths[-1].write_text(json.dumps(as_json(file)))
    call_command(
        "create_study",
        *("lamps", "--corpus", "lamps", "--quota", "1", "--launch", "--contact", "Rita"),
        *(f"--instrument={path}" for path in paths),
        *("--recruitment", "prolific", "--completion-code", "C0FFEE"),
        stdout=StringIO(),
    )
    return Study.objects.get()


def shown(page: Page) -> dict[str, str]:
    """Place -> the text that stands there."""
    return {
        part.get_attribute("data-text") or "": part.inner_text()
        for part in page.locator("[data-text]").all()
    }


def test_they_are_shown_answered_and_read_as_they_stood(
    page: Page, live_server: Any, study: Study
) -> None:
    begin(page, live_server.url, "bob")
    preferred = []  # the text that was preferred on each page of the first instrument
    for position in (1, 2, 3):
        expect(page.locator(f"[data-item='{position}']")).to_be_visible()
        texts = shown(page)
        assert list(texts) == ["reference", "a", "b"]
        assert texts["reference"] == "Text a about lamp 1."  # it never moves
        expect(page.locator("#text-reference h2")).to_have_text("Reference")
        preferred.append(texts["b"])
        page.locator("[data-question=better] label:has(input[value=b])").click()
        saved(page)
        page.locator("[data-next]").click()
    for position in (4, 5, 6, 7):
        expect(page.locator(f"[data-item='{position}']")).to_be_visible()
        documents = list(shown(page))[1:]
        fields = page.locator("[data-field]")
        expect(fields).to_have_count(len(documents))
        expect(page.locator("[data-wanted]").first).to_have_text(str(len(documents)))
        for number in range(len(documents)):
            code = "yes" if number == 0 else "no"
            fields.nth(number).locator(f"label:has(input[value={code}])").click()
        saved(page)
        page.locator("[data-next]").click()
    expect(page.locator("[data-finish]")).to_be_visible()
    page.locator("[data-submit]").click()
    expect(page.locator("[data-completion-code]")).to_have_text("C0FFEE")

    orders = Presentation.objects.filter(instrument__key="nearer").values_list("order", flat=True)
    assert set(orders) == {"a,b", "b,a"}
    texts = dict(study.corpus.responses.values_list("key", "text"))
    by_page = Judgment.objects.filter(question__key="better").order_by(
        "item__presentations__position"
    )
    assert [texts[value] for value in by_page.values_list("value", flat=True)] == preferred
    the_frames_say_what_was_answered(study)


def the_frames_say_what_was_answered(study: Study) -> None:
    from analysis.inputs import frames
    from analysis.inputs.measures import measures_of

    better, support = measures_of(study)
    votes = frames.votes(study=study, measure=better)
    chosen = dict(
        Judgment.objects.filter(question=better.question).values_list("item__key", "value")
    )
    assert len(votes) == len(chosen) == 3
    for vote in votes.to_dict("records"):
        assert vote[vote["value"]] == chosen[vote["item"]]  # the slot that held the preferred text
    votes = frames.votes(study=study, measure=support)
    assert sorted(votes["score"]) == [0] * 7 + [1] * 4
    assert votes["item"].is_unique  # an answer on each document is a vote on it alone
