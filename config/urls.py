"""Every address of the site."""

from django.contrib import admin
from django.contrib.auth import views as auth
from django.urls import URLPattern, URLResolver, include, path

from annotation.console.login import LoginForm
from annotation.work import worker_views

worker: list[URLPattern | URLResolver] = [
    path("", worker_views.work, name="work"),
    path("consent/", worker_views.consent, name="consent"),
    path("instructions/", worker_views.instructions, name="instructions"),
    path("return/", worker_views.return_task, name="return_task"),
    path("withdraw/", worker_views.withdraw, name="withdraw"),
    path("done/", worker_views.done, name="done"),
    path("judging/", include("judging.urls")),
    path("writing/", include("writing.urls")),
]

urlpatterns = [
    path("", include("analysis.urls")),
    path("", include("annotation.urls")),
    path("", include("judging.console_urls")),
    path("", include("writing.console_urls")),
    path("s/<slug:slug>/", worker_views.arrive, name="arrive"),
    path("w/<str:token>/", include(worker)),
    path(
        "login/",
        auth.LoginView.as_view(template_name="console/login.html", authentication_form=LoginForm),
        name="login",
    ),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
    path("admin/", admin.site.urls),
]
