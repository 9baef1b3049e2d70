"""The secrets by which Prolific signs webhooks: one for each workspace, encrypted.

A secret that was created here works at once, in every process. The secret of the settings works
until one is created here for its workspace (PROLIFIC_WORKSPACE; any, if that is empty).
"""

from datetime import datetime

from django.conf import settings
from django.db import transaction

from annotation.encryption import sealed, unsealed
from annotation.models import WebhookSecret

PURPOSE = "encrypt"


@transaction.atomic
def keep(*, workspace: str, secret: str, now: datetime) -> None:
    """Save the secret of a workspace, which replaces an earlier one."""
    WebhookSecret.objects.update_or_create(
        workspace=workspace, defaults={"secret": sealed(secret, purpose=PURPOSE), "made_at": now}
    )


def known() -> list[str]:
    """Return the secrets that a message may be signed with."""
    sealed_by_workspace = dict(WebhookSecret.objects.values_list("workspace", "secret"))
    secrets = [unsealed(secret, purpose=PURPOSE) for secret in sealed_by_workspace.values()]
    of_settings = settings.PROLIFIC_WEBHOOK_SECRET
    is_replaced = (
        settings.PROLIFIC_WORKSPACE in sealed_by_workspace
        if settings.PROLIFIC_WORKSPACE
        else sealed_by_workspace
    )
    return secrets if is_replaced or not of_settings else [*secrets, of_settings]


def is_known() -> bool:
    return bool(settings.PROLIFIC_WEBHOOK_SECRET) or WebhookSecret.objects.exists()
