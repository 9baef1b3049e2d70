"""Saving what somebody says of themselves in their account."""

from typing import Any

from django.db import transaction

from annotation.models import Introduction


@transaction.atomic
def save(*, form: Any) -> None:
    """The e-mail address, and how they introduce themselves to workers, of a valid form."""
    user = form.save()
    if "introduction" in form.data:
        text = form.cleaned_data["introduction"]
        Introduction.objects.update_or_create(user=user, defaults={"text": text})
