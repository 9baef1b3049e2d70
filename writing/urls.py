"""A writer's pages, below /w/<token>/writing/."""

from django.urls import path

from writing.editor import views

app_name = "writing"
urlpatterns = [
    path("", views.work, name="work"),
    path("entry/", views.entry, name="entry"),
    path("write/", views.write, name="write"),
    path("here/", views.here, name="here"),
    path("turn/", views.turn, name="turn"),
    path("log/", views.log, name="log"),
    path("rest/", views.rest, name="rest"),
    path("finish/", views.finish, name="finish"),
]
