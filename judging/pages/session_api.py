"""API of moderated sessions: list and open, read and change."""

from typing import Any

from django.db.models import Count, Exists, OuterRef
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation.clock import database_now
from annotation.console.api.resource import Resource, understood
from annotation.models import Assignment, Study
from annotation.people import access
from annotation.people.access import Act
from annotation.people.access.roles import check as check_right
from judging.models import ModeratedSession, Recording
from judging.pages.session_pages import hide_words, is_heard, session_of
from judging.sessions import alignment, saving_sessions, transcripts

SECONDS = 2 * saving_sessions.FARTHEST


class SessionSerializer(serializers.Serializer[Any]):
    """A session of a participant. `offset`: seconds from consent to the recording."""

    id = serializers.IntegerField(source="pk")
    assignment = serializers.IntegerField(source="assignment_id")
    worker = serializers.CharField(source="assignment.worker.pseudonym")
    offset = serializers.FloatField()
    recorded = serializers.BooleanField(help_text=gettext_lazy("The recording is complete."))
    utterances = serializers.IntegerField(source="n_utterances")
    notes = serializers.IntegerField(source="n_notes")


class NewSessionSerializer(serializers.Serializer[Any]):
    """A session is opened for an assignment whose participant agreed to be recorded."""

    assignment = serializers.IntegerField(min_value=1)


class SaidSerializer(serializers.Serializer[Any]):
    """An utterance; times are seconds from the start of the recording."""

    position = serializers.IntegerField()
    start = serializers.FloatField()
    end = serializers.FloatField()
    speaker = serializers.CharField()
    text = serializers.CharField()
    page = serializers.IntegerField(
        allow_null=True, help_text=gettext_lazy("The participant's page at that time.")
    )


class SessionNoteSerializer(serializers.Serializer[Any]):
    at = serializers.FloatField()
    question = serializers.CharField()
    text = serializers.CharField()


class WholeSessionSerializer(SessionSerializer):
    transcript = SaidSerializer(many=True)
    moderator_notes = SessionNoteSerializer(many=True)


class SessionChangeSerializer(serializers.Serializer[Any]):
    """Set the offset, replace the transcript (WebVTT, SRT or CSV), or add a note."""

    offset = serializers.FloatField(required=False, min_value=-SECONDS, max_value=SECONDS)
    transcript = serializers.CharField(
        required=False, trim_whitespace=False, max_length=transcripts.LIMIT
    )
    note = serializers.CharField(required=False, max_length=saving_sessions.LONGEST_NOTE)
    question = serializers.CharField(
        required=False,
        max_length=saving_sessions.LONGEST_QUESTION,
        help_text=gettext_lazy("Question of the interview guide."),
    )
    at = serializers.FloatField(
        required=False,
        min_value=-SECONDS,
        max_value=SECONDS,
        help_text=gettext_lazy("Time in seconds. Default: now."),
    )


class Sessions(Resource):
    """List the moderated sessions of a study, or open one."""

    acts = {"GET": Act.REVIEW, "POST": Act.REVIEW}

    @extend_schema(operation_id="sessions", responses=SessionSerializer(many=True))
    def get(self, request: Request, slug: str, version: int) -> Answer:
        study = access.study_for(self.person, slug=slug, version=version, may=self.act)
        return Answer(SessionSerializer(_rows(study), many=True).data)

    @extend_schema(
        operation_id="open_session",
        request=NewSessionSerializer,
        responses={201: SessionSerializer},
    )
    def post(self, request: Request, slug: str, version: int) -> Answer:
        study = access.study_for(self.person, slug=slug, version=version, may=self.act)
        data = understood(NewSessionSerializer, request.data)
        works = Assignment.objects.select_related("study")
        work = get_object_or_404(works, study=study, pk=data["assignment"])
        made = saving_sessions.make(assignment=work, now=database_now())
        return Answer(SessionSerializer(_rows(study).get(pk=made.pk)).data, status=201)


class OneSession(Resource):
    """Read a session with transcript and notes, or change it."""

    acts = {"GET": Act.REVIEW, "POST": Act.REVIEW}

    @extend_schema(operation_id="session", responses=WholeSessionSerializer)
    def get(self, request: Request, slug: str, version: int, pk: int) -> Answer:
        study = access.study_for(self.person, slug=slug, version=version, may=Act.VIEW)
        this = session_of(study, pk)
        check_right(study, self.act)
        return Answer(_whole(study, this))

    @extend_schema(
        operation_id="change_session",
        request=SessionChangeSerializer,
        responses=WholeSessionSerializer,
    )
    def post(self, request: Request, slug: str, version: int, pk: int) -> Answer:
        study = access.study_for(self.person, slug=slug, version=version, may=Act.VIEW)
        this, now = session_of(study, pk), database_now()
        check_right(study, self.act)
        data = understood(SessionChangeSerializer, request.data)
        if "offset" in data:
            saving_sessions.set_offset(session=this, offset=data["offset"])
        if "transcript" in data:
            content = data["transcript"].encode(errors="replace")
            saving_sessions.import_transcript(session=this, content=content, by=self.person)
        if "note" in data:
            saving_sessions.save_note(
                session=this,
                text=data["note"],
                question=data.get("question", ""),
                at=data.get("at"),
                by=self.person,
                now=now,
            )
        return Answer(_whole(study, this))


def _rows(study: Study) -> Any:
    complete = Recording.objects.filter(session=OuterRef("pk"), chunks_expected__isnull=False)
    rows = ModeratedSession.objects.filter(assignment__study=study)
    return (
        rows.select_related("assignment__worker")
        .annotate(
            recorded=Exists(complete),
            n_utterances=Count("utterances", distinct=True),
            n_notes=Count("notes", distinct=True),
        )
        .order_by("pk")
    )


def _whole(study: Study, this: ModeratedSession) -> dict[str, Any]:
    """Return a session with its transcript, each utterance with its page, and its notes."""
    visits = alignment.visits_of(this.assignment)
    rows = alignment.utterances_with_pages(this, visits)
    noted = alignment.notes_with_pages(this, visits)
    if not is_heard(this):
        hide_words(study, [*rows, *noted])
    said = [
        {
            "position": row.position,
            "start": row.start,
            "end": row.end,
            "speaker": row.speaker,
            "text": row.text,
            "page": visit.position if visit else None,
        }
        for row, visit in rows
    ]
    notes = [{"at": note.at, "question": note.question, "text": note.text} for note, _ in noted]
    row = SessionSerializer(_rows(study).get(pk=this.pk)).data
    return {**row, "transcript": said, "moderator_notes": notes}
