"""Cached results, and notes of erasures that the database file still has to follow."""

from django.db import models


class Kept(models.Model):
    """An entry of Django's cache (`CACHES` in the settings), which reads and writes its columns.

    It may be gone at any moment: whoever asks for it computes it again. It is a table, and not a
    part of the broker, which must not throw anything away and which one machine alone has not.
    """

    cache_key = models.CharField(max_length=255, primary_key=True)
    value = models.TextField()
    expires = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "annotation_kept"
        verbose_name_plural = "kept"

    def __str__(self) -> str:
        return self.cache_key


class Erasure(models.Model):
    """An erasure that has not left the file of an embedded database yet (annotation.wiping)."""

    erased_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"erased at {self.erased_at}"
