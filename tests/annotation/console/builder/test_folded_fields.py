"""Fields of the editor that are folded, with their values and their help."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.console.builder.annotated_sections import anchor_of
from annotation.studies.drafts.editor_forms import SECTIONS
from tests.annotation.console.builder.test_editor import METHOD, post
from tests.annotation.studies.drafts.drafted import drafted
from tests.hooks import elements, values

pytestmark = pytest.mark.django_db


def unfolded(page: str) -> str:
    return re.sub(r'<details class="folded".*?</details>', "", page, flags=re.DOTALL)


def test_what_nearly_everybody_has_is_folded_until_it_is_changed(client: Client) -> None:
    draft = drafted()
    address = reverse("draft_section", args=[draft.pk, "design"])
    seed, page = 'name="design/seed"', client.get(address).text
    assert seed in page
    assert seed not in unfolded(page)
    client.post(address, {"design/seed": "7", "revision": draft.revision})
    assert seed in unfolded(client.get(address).text)


def test_what_is_wrong_is_not_folded(client: Client) -> None:
    draft = drafted()
    address = reverse("draft_section", args=[draft.pk, "recruitment"])
    currency = 'name="recruitment/currency"'
    assert currency not in unfolded(client.get(address).text)
    client.post(address, {"recruitment/currency": "dollars", "revision": draft.revision})
    assert currency in unfolded(client.get(address).text)


@pytest.mark.parametrize("section", [section.key for section in SECTIONS])
def test_help_of_each_field_is_in_the_panel_of_its_section_once(
    client: Client, section: str
) -> None:
    draft = drafted()
    html = client.get(reverse("draft_section", args=[draft.pk, section])).text
    ids = values(html, "id")
    described = {name for names in values(html, "aria-describedby") for name in names.split()}
    assert described
    assert described <= set(ids)
    assert len(ids) == len(set(ids))


def test_what_is_folded_says_its_values(client: Client) -> None:
    draft = drafted()
    html = client.get(reverse("draft_section", args=[draft.pk, "design"])).text
    assert "Seed: 1" in html
    folded = [summary.text for summary in elements(html, "data-folded-words", "3")]
    assert any(re.fullmatch(r"[^:;]+: [^:;]+; [^:;]+: no; [^:;]+: [^:;]+", text) for text in folded)
    html = client.get(reverse("draft_section", args=[draft.pk, "quality"])).text
    (policies,) = [
        summary.text
        for summary in elements(html, "data-folded-words")
        if summary.attributes["data-folded-words"] == "5"
    ]
    assert ":" not in policies  # five fields with one value


def test_criteria_of_several_questions_are_folded_where_there_are_none(client: Client) -> None:
    fold = f'id="folded-{anchor_of(f"{METHOD}/criteria")}"'
    draft = drafted()
    address = reverse("draft_section", args=[draft.pk, "texts"])
    assert fold in client.get(address).text
    post(client, draft, "texts", {"revision": "0", "do": f"add {METHOD}/criteria"})
    assert fold not in client.get(address).text
