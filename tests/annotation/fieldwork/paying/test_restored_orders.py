"""Bonuses of a restored backup that were paid after it was made: nobody is paid twice."""

import pytest
from django.db import connection

from annotation.models import Payment
from config.backups.contents import HOLDS
from tests.annotation.fieldwork.paying.desk import Desk
from tests.annotation.fieldwork.paying.ordered import (
    LATER,
    State,
    bonus,
    decided,
    go_on,
    ledger,
    states,
)

pytestmark = pytest.mark.django_db


def restored():
    with connection.cursor() as cursor:
        cursor.execute(HOLDS["annotation_payment"])


@pytest.mark.parametrize("was_paid", [True, False])
def test_a_waiting_bonus_is_booked_only_if_the_platform_shows_one_more(was_paid):
    study, desk = decided(["bob"]), Desk()
    bonus(study)
    go_on(desk)
    go_on(desk, LATER)
    assert desk.bonuses == {"of bob": [50]}
    bonus(study, number=1)
    restored()
    assert Payment.objects.get(state=State.UNKNOWN).before == 1
    if was_paid:
        desk.bonuses["of bob"].append(50)
    paid = len(desk.bonuses["of bob"])
    go_on(desk, LATER)
    assert (desk.calls.count("pay"), len(desk.bonuses["of bob"])) == (1, paid)
    assert ledger(study)["bonus"] == (100 if was_paid else 50)
    assert (State.UNKNOWN in states()) is not was_paid
