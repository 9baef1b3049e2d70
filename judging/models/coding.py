"""Models of codebooks and of the coding of comments by independent coders."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext, gettext_lazy

from annotation.models import Assignment, Study, Team
from judging.models.instruments import Instrument
from judging.models.items import Item


class CodebookIsFinal(TypeError):
    """Refusal to change a codebook version or a decision. A database trigger refuses it as well."""

    def __init__(self) -> None:
        super().__init__(gettext("Codebook versions and decisions can't be changed."))


class FinalCodes(models.QuerySet[Any]):
    def update(self, **changes: Any) -> int:
        raise CodebookIsFinal


def _user(**extra: Any) -> Any:
    return models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", **extra
    )


class Codebook(models.Model):
    """A codebook of a team. Its codes belong to versions."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="codebooks", db_index=False)
    name = models.CharField(max_length=200)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["team", "name"]
        constraints = [
            models.UniqueConstraint(fields=["team", "name"], name="codebook_name_once_per_team")
        ]

    def __str__(self) -> str:
        return self.name


class CodebookVersion(models.Model):
    """A version of a codebook, never changed.

    A migration that alters this table on SQLite creates it again without its trigger: it has to
    restore it (`ForbidChanges` of annotation.migration_operations).
    """

    codebook = models.ForeignKey(Codebook, models.CASCADE, related_name="versions", db_index=False)
    number = models.PositiveIntegerField()
    description = models.TextField(blank=True)
    source = models.TextField(blank=True, help_text="the publication that it follows")
    made_by = _user()
    made_at = models.DateTimeField()

    objects = FinalCodes.as_manager()

    class Meta:
        ordering = ["codebook", "number"]
        constraints = [
            models.UniqueConstraint(fields=["codebook", "number"], name="codebook_version_once")
        ]

    def __str__(self) -> str:
        return f"{self.codebook} {self.number}"


class Code(models.Model):
    """A code in a codebook version. A trigger prevents changes, as for the version."""

    version = models.ForeignKey(
        CodebookVersion, models.CASCADE, related_name="codes", db_index=False
    )
    position = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=200)
    group = models.CharField(max_length=200, blank=True)
    name = models.CharField(max_length=200)
    definition = models.TextField(blank=True)
    examples = models.JSONField(default=list, blank=True)

    objects = FinalCodes.as_manager()

    class Meta:
        ordering = ["version", "position"]
        constraints = [
            models.UniqueConstraint(fields=["version", "key"], name="code_key_once_per_version"),
            models.UniqueConstraint(fields=["version", "position"], name="code_position_once"),
        ]

    def __str__(self) -> str:
        return self.name


class Coding(models.Model):
    """The coding of comments of a study with a version of a codebook.

    Coders work independently until it is closed (`closed_at`). Then codes are final and compared.
    `closed_units` is the number of units at that time: a withdrawal erases units later as well.
    """

    study = models.ForeignKey(Study, models.CASCADE, related_name="codings", db_index=False)
    version = models.ForeignKey(CodebookVersion, models.RESTRICT, related_name="codings")
    name = models.CharField(max_length=100)
    kinds = models.JSONField(help_text="of comments")
    made_by = _user()
    made_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_units = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["study", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="coding_name_once_per_study")
        ]

    def __str__(self) -> str:
        return self.name


class CodingUnit(models.Model):
    """A comment to code, with its text at the time it was added; or a passage marked in one.

    A passage has the `whole` that it is from, and begins at character `start` of its text.
    """

    class Kind(models.TextChoices):
        PAGE = "page", gettext_lazy("On pages")
        REASON = "reason", gettext_lazy("Reasons")
        ENTRY = "entry", gettext_lazy("Entry form")
        EXIT = "exit", gettext_lazy("Exit form")
        UTTERANCE = "utterance", gettext_lazy("Utterances in sessions")

    coding = models.ForeignKey(Coding, models.CASCADE, related_name="units", db_index=False)
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=Kind)
    source = models.CharField(max_length=200, help_text="key of the comment in its study")
    text = models.TextField()
    question = models.CharField(max_length=100, blank=True)
    whole = models.ForeignKey(
        "self", models.CASCADE, null=True, blank=True, related_name="passages"
    )
    start = models.PositiveIntegerField(null=True, blank=True, help_text="characters")
    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="coding_units")
    item = models.ForeignKey(
        Item, models.SET_NULL, null=True, blank=True, related_name="coding_units"
    )
    instrument = models.ForeignKey(
        Instrument, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["coding", "position"]
        constraints = [
            models.UniqueConstraint(fields=["coding", "source"], name="coding_unit_once"),
            models.UniqueConstraint(
                fields=["coding", "position"], name="coding_unit_position_once"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["page", "reason", "entry", "exit", "utterance"]),
                name="coding_unit_kind_known",
            ),
            models.CheckConstraint(
                condition=Q(whole__isnull=True, start__isnull=True)
                | Q(whole__isnull=False, start__isnull=False),
                name="marked_passage_has_a_place",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.coding} {self.position}"


class Coder(models.Model):
    """A team member who codes the units; named by a number in exports.

    `is_compared`: they had coded all units when the coding was closed.
    """

    coding = models.ForeignKey(Coding, models.CASCADE, related_name="coders", db_index=False)
    number = models.PositiveSmallIntegerField()
    user = _user()
    is_compared = models.BooleanField(default=False)

    class Meta:
        ordering = ["coding", "number"]
        constraints = [
            models.UniqueConstraint(fields=["coding", "number"], name="coder_number_once"),
            models.UniqueConstraint(fields=["coding", "user"], name="coder_once_per_coding"),
        ]

    def __str__(self) -> str:
        return str(self.user) if self.user else f"coder {self.number}"


class AddedCode(models.Model):
    """A code that a coder added while coding. Other coders see it after the coding is closed.

    The name may quote a comment, so it is cleared when that comment is erased.
    """

    coding = models.ForeignKey(Coding, models.CASCADE, related_name="added_codes", db_index=False)
    key = models.CharField(max_length=20)
    name = models.CharField(max_length=200, blank=True)
    coder = models.ForeignKey(Coder, models.CASCADE, related_name="added_codes")
    unit = models.ForeignKey(
        CodingUnit, models.SET_NULL, null=True, blank=True, related_name="added_codes"
    )
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["coding", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["coding", "key"], name="added_code_key_once")
        ]

    def __str__(self) -> str:
        return self.name or self.key


class UnitCodes(models.Model):
    """Keys of the codes that a coder gave to a unit. An empty list means that no code applies."""

    unit = models.ForeignKey(CodingUnit, models.CASCADE, related_name="given", db_index=False)
    coder = models.ForeignKey(Coder, models.CASCADE, related_name="given")
    codes = models.JSONField(default=list, blank=True)
    saved_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "unit codes"
        constraints = [
            models.UniqueConstraint(fields=["unit", "coder"], name="unit_coded_once_per_coder")
        ]

    def __str__(self) -> str:
        return f"{self.unit}: {', '.join(self.codes)}"


class UnitDecision(models.Model):
    """Reconciled codes of a unit. The highest number counts; rows are appended, never changed.

    A migration that alters this table on SQLite creates it again without its trigger: it has to
    restore it (`ForbidChanges` of annotation.migration_operations).
    """

    unit = models.ForeignKey(CodingUnit, models.CASCADE, related_name="decisions", db_index=False)
    number = models.PositiveIntegerField()
    codes = models.JSONField(default=list, blank=True)
    note = models.CharField(max_length=500, blank=True)
    by = _user()
    at = models.DateTimeField()

    objects = FinalCodes.as_manager()

    class Meta:
        ordering = ["unit", "number"]
        constraints = [
            models.UniqueConstraint(fields=["unit", "number"], name="unit_decision_numbered")
        ]

    def __str__(self) -> str:
        return f"{self.unit}: {', '.join(self.codes)}"
