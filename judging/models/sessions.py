"""Models of moderated sessions: recording, transcript and notes of a participant's work."""

import base64

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings
from django.db import models
from django.db.models import F, Q

from annotation.encryption import sealed
from annotation.models import Assignment, Study

KEY_PURPOSE = "recording"


def new_sealed_key() -> bytes:
    """Return the key of a new recording, encrypted with the key of the server."""
    key = base64.urlsafe_b64encode(AESGCM.generate_key(256)).decode()
    return sealed(key, purpose=KEY_PURPOSE)


class ModeratedSession(models.Model):
    """A session in which a moderator watches a participant work, usually recorded.

    `offset` is the time from consent (`Assignment.started_at`) to the start of the recording.
    """

    assignment = models.OneToOneField(Assignment, models.CASCADE, related_name="session")
    offset = models.FloatField(default=0, help_text="seconds from consent to the recording")
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["assignment"]

    def __str__(self) -> str:
        return f"session of {self.assignment}"


class Recording(models.Model):
    """The audio of a session, in encrypted chunks.

    The key of the chunks is itself encrypted with the key of the server. `chunks_expected` is empty
    until the upload is complete; the previous recording is kept until then. `offset` is known of
    what a browser records.
    """

    session = models.ForeignKey(
        ModeratedSession, models.CASCADE, related_name="recordings", db_index=False
    )
    offset = models.FloatField(null=True, blank=True, help_text="seconds from consent to its start")
    media_type = models.CharField(max_length=40)
    sealed_key = models.BinaryField(default=new_sealed_key)
    chunks_expected = models.PositiveIntegerField(null=True, blank=True)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["session", "pk"]
        indexes = [models.Index(fields=["session", "id"], name="recordings_by_session")]
        constraints = [
            models.UniqueConstraint(
                fields=["session"],
                condition=Q(chunks_expected__isnull=False),
                name="one_complete_recording",
            ),
        ]

    def __str__(self) -> str:
        return f"recording of {self.session}"


class RecordingChunk(models.Model):
    """A numbered piece of a recording; `size` is that of its audio before encryption."""

    recording = models.ForeignKey(Recording, models.CASCADE, related_name="chunks", db_index=False)
    number = models.PositiveIntegerField(help_text="1 for the first")
    size = models.PositiveIntegerField(help_text="bytes")
    data = models.BinaryField()

    class Meta:
        ordering = ["recording", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["recording", "number"], name="chunk_once_per_recording"
            ),
            models.CheckConstraint(
                condition=Q(number__gte=1, size__gte=1), name="recording_chunk_has_audio"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.recording} {self.number}"


class Utterance(models.Model):
    """A row of a session's transcript; times are seconds from the start of the recording."""

    session = models.ForeignKey(
        ModeratedSession, models.CASCADE, related_name="utterances", db_index=False
    )
    position = models.PositiveIntegerField()
    start = models.FloatField()
    end = models.FloatField()
    speaker = models.CharField(max_length=100, blank=True)
    text = models.TextField()

    class Meta:
        ordering = ["session", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["session", "position"], name="utterance_once_per_session"
            ),
            models.CheckConstraint(
                condition=Q(start__gte=0, end__gte=F("start")), name="utterance_has_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.session} {self.position}"


class InterviewGuide(models.Model):
    """Questions that moderators of a study ask: a list of `section` and `question`."""

    study = models.OneToOneField(Study, models.CASCADE, related_name="interview_guide")
    questions = models.JSONField(default=list)
    saved_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"interview guide of {self.study}"


class SessionNote(models.Model):
    """A moderator's note; `at` is in seconds from the start of the recording.

    `question` is the question of the interview guide that it answers, as it was asked.
    """

    session = models.ForeignKey(ModeratedSession, models.CASCADE, related_name="notes")
    at = models.FloatField()
    question = models.CharField(max_length=300, blank=True)
    text = models.TextField()
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["session", "at", "pk"]

    def __str__(self) -> str:
        return f"{self.session} {self.at:.0f} s"
