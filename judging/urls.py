"""URLs of a worker's judging pages, below /w/<token>/judging/."""

from django.urls import path

from judging.answering import views
from judging.pages import participant_recording
from judging.simulation.views import fill_rest

app_name = "judging"
urlpatterns = [
    path("", views.work, name="work"),
    path("<int:position>/", views.item, name="item"),
    path("<int:position>/following/", views.following, name="following"),
    path("<int:position>/feedback/", views.after_training, name="feedback"),
    path("here/", views.here, name="here"),
    path("answers/", views.answers, name="answers"),
    path("finish/", views.finish, name="finish"),
    path("recording/", participant_recording.recording, name="recording"),
    path("rest/", fill_rest, name="fill_rest"),
]
