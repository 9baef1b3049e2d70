"""Grid of a bank: blocks of cells sorted by sum both ways, raters apart, grades of a cell."""

import re

import pytest
from django.urls import reverse

from annotation.models import Membership
from judging.banks import deciding
from judging.banks.appending import Change
from judging.banks.grids import grid_of, sorted_grid
from judging.models import ItemSlot, Judgment
from tests.cast import NOW, rita
from tests.config.askers import client_of, person
from tests.judging.banks.cast import entry
from tests.judging.banks.graded import graded_bank

pytestmark = pytest.mark.django_db


@pytest.fixture
def bank():
    return graded_bank(texts=4, entries=3)


def topic_of(bank):
    return bank.corpus.topics.get(key="t1")


def address(bank, name="_block"):
    return reverse(f"corpus_bank_grid{name}", args=[bank.corpus.slug, bank.pk])


def block(client, bank, **query):
    answer = client.get(address(bank), {"topic": topic_of(bank).pk} | query)
    assert answer.status_code == 200
    return answer.json()


def cells(sent):
    return [[cell and float(cell) for cell in line.split(",")] for line in sent["cells"]]


def test_cells_have_the_means_of_the_chosen_raters(client, bank):
    client.force_login(rita())
    for raters, grade in (
        ("people", lambda t, e: (t + e) % 6),
        ("models", lambda t, e: 5),
        ("all", lambda t, e: ((t + e) % 6 + 5) / 2),
    ):
        sent = block(client, bank, raters=raters)
        texts = [int(row["name"][-4:]) for row in sent["rows"]]
        facts = [int(column["name"][-4:]) for column in sent["columns"]]
        assert cells(sent) == [[grade(t, e) for e in facts] for t in texts]


def test_rows_and_columns_with_the_highest_sums_come_first(client, bank):
    client.force_login(rita())
    sent = block(client, bank, raters="people")
    rows = [sum(line) for line in cells(sent)]
    columns = [sum(line) for line in zip(*cells(sent), strict=True)]
    assert rows == sorted(rows, reverse=True) == [float(row["sum"]) for row in sent["rows"]]
    assert columns == sorted(columns, reverse=True)
    assert columns == [float(column["sum"]) for column in sent["columns"]]


def test_a_block_begins_where_it_is_asked_for(client, bank):
    client.force_login(rita())
    whole, part = block(client, bank), block(client, bank, row=3, column=2)
    assert part["rows"] == whole["rows"][3:]
    assert part["columns"] == whole["columns"][2:]
    assert part["cells"] == [whole["cells"][3].split(",")[2]]
    assert block(client, bank, row=999) == {"rows": [], "columns": whole["columns"], "cells": []}
    odd = client.get(address(bank), {"topic": topic_of(bank).pk, "row": "9" * 18})
    assert odd.status_code == 404


def test_a_new_grade_is_in_the_next_block(client, bank):
    client.force_login(rita())
    before = block(client, bank)
    key = entry(bank, "Fact 0000").key
    items = ItemSlot.objects.filter(criterion__key=key).values("item")
    judgment = Judgment.objects.get(
        rater__name="Ann", item__in=items, item__slots__passage__key="text-0000"
    )
    judgment.score, judgment.answered_at = 5, NOW.replace(year=NOW.year + 1)
    judgment.save()
    assert block(client, bank) != before


def test_grades_of_a_cell_name_the_raters_people_first(client, bank):
    client.force_login(rita())
    sent = block(client, bank)
    query = {"text": sent["rows"][0]["id"], "entry": sent["columns"][0]["id"]}
    page = client.get(address(bank, "_cell"), query).content.decode()
    assert re.findall(r'data-graded="(\w+)"', page) == ["person", "model"]
    for odd in ({"text": "x"}, {"entry": ""}, {"text": "passage-0"}):
        assert client.get(address(bank, "_cell"), query | odd).status_code == 404


def test_the_page_shows_the_size_and_an_empty_bank_none(client, bank):
    client.force_login(rita())
    page = client.get(address(bank, "")).content.decode()
    assert 'data-rows="4" data-columns="3"' in page
    Judgment.objects.all().delete()
    assert "data-grid" not in client.get(address(bank, "")).content.decode()


def test_viewers_read_no_secret_entry(bank):
    row = entry(bank, "Fact 0001")
    deciding.decide(
        bank=bank, shown={row.pk: row.revision}, change=Change(secret=True), by=None, now=NOW
    )
    viewer = person("viewer")
    Membership.objects.create(team=bank.team, user=viewer, role="viewer")
    client = client_of(viewer)
    sent = block(client, bank)
    assert {column["name"] for column in sent["columns"]} == {"Fact 0000", "Fact 0002", ""}
    query = {"text": sent["rows"][0]["id"], "entry": row.pk}
    assert b"Fact 0001" not in client.get(address(bank, "_cell"), query).content


def test_texts_without_grades_are_no_rows(bank):
    Judgment.objects.all().delete()
    grid, _ = grid_of(bank, topic_of(bank))
    assert (grid.texts, grid.entries) == ((), ())
    assert sorted_grid(bank, topic_of(bank), "all").block(slice(0, 9), slice(0, 9)) == []


def test_the_blocks_of_a_page_are_of_the_grid_that_it_showed(client, bank):
    client.force_login(rita())
    page = client.get(address(bank, "")).content.decode()
    key = re.search(r"key=(\w+)", page)[1]
    before = block(client, bank, key=key)
    Judgment.objects.all().delete()
    assert block(client, bank, key=key) == before
    assert block(client, bank, key="odd")["cells"] == []
