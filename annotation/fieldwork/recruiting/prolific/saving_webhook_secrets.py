"""The secrets with which Prolific signs its webhooks: one for each workspace, sealed.

A secret that was made here is good at once, in every process. That of the settings is good for as
long as none was made here for its workspace (PROLIFIC_WORKSPACE; any, where that is not said): a
changed one must not go on, and that of another workspace must.
"""

from datetime import datetime

from django.conf import settings
from django.db import transaction

from annotation.encryption import sealed, unsealed
from annotation.models import WebhookSecret

PURPOSE = "encrypt"


@transaction.atomic
def keep(*, workspace: str, secret: str, now: datetime) -> None:
    """The earlier one of the workspace has ended at Prolific, and ends here."""
    WebhookSecret.objects.update_or_create(
        workspace=workspace, defaults={"secret": sealed(secret, purpose=PURPOSE), "made_at": now}
    )


def known() -> list[str]:
    """Those that a message may be signed with."""
    kept = dict(WebhookSecret.objects.values_list("workspace", "secret"))
    found = [unsealed(each, purpose=PURPOSE) for each in kept.values()]
    of_settings = settings.PROLIFIC_WEBHOOK_SECRET
    is_replaced = settings.PROLIFIC_WORKSPACE in kept if settings.PROLIFIC_WORKSPACE else kept
    return found if is_replaced or not of_settings else [*found, of_settings]


def is_known() -> bool:
    return bool(settings.PROLIFIC_WEBHOOK_SECRET) or WebhookSecret.objects.exists()
