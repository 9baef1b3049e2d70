"""Personal links: who was hired or invited, one by one."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models.studies import Study
from annotation.models.work import Worker


class Contract(models.Model):
    """A person who comes by a link of their own: hired by a contract (Upwork), or invited.

    The contract's id is the platform id of the worker. Of the link only its hash is kept; a new
    link ends the one before. It is good for every version of the study.
    """

    study = models.ForeignKey(Study, models.CASCADE, related_name="contracts", db_index=False)
    worker = models.ForeignKey(Worker, models.PROTECT, related_name="contracts")
    name = models.CharField(max_length=150, blank=True, help_text="for whom, as researchers say")
    token_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", db_index=False
    )
    made_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "worker"],
                condition=Q(revoked_at=None),
                name="one_personal_link_of_a_person",
            ),
        ]

    def __str__(self) -> str:
        return self.name or self.worker.pseudonym
