"""The records of the admin: who may see them, and that they are only to look at."""

from collections.abc import Iterator

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from annotation.models import Assignment
from tests.cast import begun, bob, handed_in, rita, small_study
from tests.config.addresses import addresses
from tests.config.askers import METHODS, Undo, ask, client_of, person

pytestmark = pytest.mark.django_db
ACCOUNTS = {"auth.user", "auth.group"}  # researchers are made there; all else is to look at
OPEN = {"admin:login", "admin:logout"}


def admin_addresses() -> Iterator[tuple[str, str]]:
    """Name and an address of everything in the admin."""
    for path, name in addresses():
        if path.startswith("admin/") and not name.endswith(":None"):
            filled = path.replace("<path:object_id>", "1").replace("<int:content_type_id>", "1")
            filled = filled.replace("<path:object_id>", "1").replace("<id>", "1")
            yield name, "/" + filled
    yield "admin:app_list", "/admin/annotation/"


def test_the_records_are_for_administrators_who_log_in():
    study = small_study()
    begun(study, bob())
    staff = User.objects.create_user("sam", is_staff=True)
    clients = (Client(), client_of(person("owner", study)), client_of(staff))
    undo = Undo()
    for client in clients:
        for name, address in admin_addresses():
            if name not in OPEN:
                said = {ask(client, undo, method, address) for method in METHODS}
                assert said <= {"→admin:login"}, name


def test_the_records_are_to_look_at_except_accounts():
    submitted = handed_in(begun(small_study(), bob()))
    client, undo = client_of(rita()), Undo()
    for model in admin.site._registry:
        label = model._meta.label_lower
        page = f"admin:{label.replace('.', '_')}"
        may = "200" if label in ACCOUNTS else "403"
        assert ask(client, undo, "GET", reverse(f"{page}_changelist")) == "200", label
        assert ask(client, undo, "GET", reverse(f"{page}_add")) == may, label
        row = model.objects.first()
        if row is None or label in ACCOUNTS or label.startswith("axes."):
            continue  # deleting attempts lets somebody in again who forgot a password
        assert ask(client, undo, "GET", reverse(f"{page}_change", args=[row.pk])) == "200", label
        assert ask(client, undo, "POST", reverse(f"{page}_change", args=[row.pk])) == "403", label
        assert ask(client, undo, "POST", reverse(f"{page}_delete", args=[row.pk])) == "403", label
    assert Assignment.objects.get() == submitted
