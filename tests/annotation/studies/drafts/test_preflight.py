"""What of a draft is unwise: each remark alone, beside a draft of which there is nothing to say."""

from copy import deepcopy
from decimal import Decimal
from typing import Any

import msgspec
import pytest

from annotation.studies.drafts import paths
from annotation.studies.drafts.kinds import Outline, Wave, decoded, kind_of
from annotation.studies.drafts.making import document_of_methods
from annotation.studies.drafts.plain_data import plain
from annotation.studies.drafts.preflight import CHECKS
from annotation.studies.drafts.schema import Document
from annotation.studies.drafts.warnings import DraftState
from judging.drafts.warnings import screens_of
from tests.annotation.studies.drafts.drafted import remarks_of
from tests.hooks import numbers


def document(kind: str = "judging", method: str = "retrieval-relevance") -> Document:
    """One that is wise."""
    made = document_of_methods(
        kind=kind, instruments=[kind_of(kind).load(method)], title="Lamps compared", corpus=None
    )
    hired = msgspec.structs.replace(made.recruitment, pay=Decimal(8), completion_code="LAMPS")
    return msgspec.structs.replace(made, contact="Rita", recruitment=hired)


def changed(one: Document, path: str, value: Any) -> Document:
    data = deepcopy(plain(one))
    paths.put(data, path, value)
    return decoded(data)


def outline(*, reading: float = 5, words: float = 100) -> Outline:
    return Outline(
        waves=(Wave("main", 1, 5),),
        minutes=15,
        reading_minutes=reading,
        pay=Decimal(8),
        currency="USD",
        words_a_page=words,
    )


def remarks(one: Document, **said: Any) -> list[tuple[str, str]]:
    look = DraftState(document=one, **{"tried": 3, "outline": outline()} | said)
    return [(remark.path, remark.sentence) for remark in remarks_of(look)]


@pytest.mark.parametrize(("kind", "method"), [
    ("judging", "retrieval-relevance"), ("writing", "crowdrag-writing"),
])  # fmt: skip
def test_there_is_nothing_to_say_of_a_wise_draft(kind: str, method: str) -> None:
    assert remarks(document(kind, method)) == []


WRITING = "instruments/crowdrag-writing"


@pytest.mark.parametrize(("words", "minutes", "is_said"), [
    (250, 25, False), (40, 25, True), (40, 5, False), (400, 15, True), (300, 25, False),
])  # fmt: skip
def test_minutes_that_do_not_fit_the_words_are_said(
    words: int, minutes: int, is_said: bool
) -> None:
    one = changed(document("writing", "crowdrag-writing"), f"{WRITING}/target_words", words)
    one = changed(one, f"{WRITING}/defaults/minutes", minutes)
    chosen_paths = [path for path, sentence in remarks(one) if "min is unusual for" in sentence]
    assert chosen_paths == [f"{WRITING}/defaults/minutes"] * is_said


NAME = "instruments/retrieval-relevance"


@pytest.mark.parametrize(("path", "value", "figures"), [
    (f"{NAME}/consent", " ", []),
    (f"{NAME}/instructions", "", []),
    ("recruitment/pay", "0", []),
    ("recruitment/pay", "1.00", [1, 12, 5]),
    ("quality/time_limit_minutes", 8, [12]),
    (f"{NAME}/defaults/quota", 2, [2]),
    (f"{NAME}/defaults/quota", 1, []),
])  # fmt: skip
def test_one_thing_is_unwise(path: str, value: Any, figures: list[float]) -> None:
    ((place, warning),) = remarks(changed(document(), path, value))
    assert place == path
    assert set(figures) <= set(numbers(warning))
    assert bool(figures) == bool(numbers(warning))  # so that no other warning is at this place


def test_consent_that_names_nobody_is_said() -> None:
    one = changed(document(), f"{NAME}/consent", "You agree to take part.")
    ((path, _),) = remarks(changed(one, "contact", ""))
    assert path == "contact"
    assert remarks(one) == []


def test_prolific_needs_a_completion_code() -> None:
    one = changed(document(), "recruitment/completion_code", "")
    assert remarks(one) == []  # plain link each piece of work has its own
    ((path, _),) = remarks(changed(one, "recruitment/platform", "prolific"))
    assert path == "recruitment/completion_code"


@pytest.mark.parametrize(("platform", "people", "named"), [
    ("prolific", 0, "Reads"), ("prolific", 1, None), ("upwork", None, None), ("link", 1, ""),
])  # fmt: skip
def test_a_qualification_that_nobody_has_is_said(platform, people, named, settings) -> None:
    settings.PROLIFIC_WORKSPACE = "e" * 24
    asking = changed(document(), "screening/requires", " Reads ")
    warnings = remarks(changed(asking, "recruitment/platform", platform), qualified=people)
    texts = [text for path, text in warnings if path == "screening/requires"]
    assert len(texts) == (named is not None)
    assert all((named or "") in text for text in texts)


def test_a_qualification_without_a_workspace_of_prolific_is_said(settings) -> None:
    settings.PROLIFIC_WORKSPACE = ""
    asking = changed(document(), "screening/requires", "Reads")
    paths = [path for path, _ in remarks(changed(asking, "recruitment/platform", "prolific"))]
    assert paths.count("screening/requires") == 1
    assert "screening/requires" not in dict(
        remarks(changed(asking, "recruitment/platform", "upwork"))
    )


def test_reading_longer_than_is_planned_paid_or_allowed_is_said() -> None:
    one = changed(document(), "quality/time_limit_minutes", 60)
    found = dict(remarks(one, outline=outline(reading=61)))
    assert 60 in numbers(found["quality/time_limit_minutes"])
    assert {61, 12} <= set(numbers(found[f"{NAME}/defaults/minutes"]))
    assert numbers(found["recruitment/pay"])[:3] == [7.87, 8, 61]
    assert list(dict(remarks(one, outline=outline(reading=13)))) == [f"{NAME}/defaults/minutes"]
    assert remarks(one, outline=None) == []


def test_nobody_has_tried_it_or_not_as_it_is_now() -> None:
    ((never, untried),) = remarks(document(), tried=None)
    ((before, changed_since),) = remarks(document(), is_changed=True)
    assert never == before == "try"
    assert untried != changed_since


@pytest.mark.parametrize(("pages", "said"), [((1, 13), True), ((2, 13), False), ((1, 1), False)])
def test_two_pages_by_hand_are_enough_to_judge_by(pages: tuple[int, int], said: bool) -> None:
    found = [
        numbers(text) for path, text in remarks(document(), tried_pages=pages) if path == "try"
    ]
    assert [(text[:2]) for text in found] == [[*pages]] * said


def test_a_link_that_opens_on_this_computer_alone_is_said_before_the_launch() -> None:
    ((path, _),) = remarks(document(), opens_here_alone=True)
    assert path == "server"


def test_a_page_that_is_long_on_a_phone_is_said() -> None:
    one = document()
    ((path, said),) = remarks(one, outline=outline(words=600))
    assert path == f"{NAME}/questions"
    assert "(600 words, 1 question)" in said
    assert remarks(one, outline=outline(words=0)) == []


def test_screens_are_estimated_as_they_were_measured() -> None:
    """Page heights at 360 x 740, with 635 px of text in view.

    Pairs and single texts in seven questions, blocks of four in two, passages in one.
    """
    for words, questions, pixels in [
        (563, 7, 4315),
        (291, 7, 2902),
        (961, 2, 6060),
        (234, 1, 1649),
    ]:
        assert screens_of(words=words, questions=questions) == pytest.approx(pixels / 635, rel=0.1)


def test_every_check_is_asked() -> None:
    unwise = changed(document(), "recruitment/pay", "0")
    chosen_keys = [
        key for key, check in CHECKS.items() if list(check.remarks(DraftState(document=unwise)))
    ]
    assert chosen_keys == ["wage", "tried"]


@pytest.mark.parametrize(("kind", "method", "form"), [
    ("judging", "crowdrag-pairwise", "exit_form"),
    ("writing", "crowdrag-writing", "entry_form"),
])  # fmt: skip
@pytest.mark.django_db
def test_a_question_without_answers_keeps_it_from_being_launched(
    kind: str, method: str, form: str
) -> None:
    one = document(kind, method)
    field = next(each for each in one.instruments[0][form] if each["kind"] != "text")
    path = f"instruments/{method}/{form}/{field['key']}/options"
    faults = kind_of(kind).faults(changed(one, path, []))
    assert path in [fault.path for fault in faults]
