"""URLs of the moderated sessions of a study."""

from django.urls import path

from judging.pages import session_api, session_pages, session_recordings

HERE = "studies/<slug:slug>/<int:version>/sessions/"
API = "api/studies/<slug:slug>/<int:version>/sessions/"
urlpatterns = [
    path(HERE, session_pages.sessions, name="sessions"),
    path(f"{HERE}<int:pk>/", session_pages.session, name="session"),
    path(f"{HERE}<int:pk>/recording/", session_recordings.recording, name="session_recording"),
    path(API, session_api.Sessions.as_view(), name="api_sessions"),
    path(f"{API}<int:pk>/", session_api.OneSession.as_view(), name="api_session"),
]
