"""Every address of the site."""

from django.contrib import admin
from django.contrib.auth import views as auth
from django.urls import URLPattern, URLResolver, include, path

from annotation.fieldwork.pages import image_views as images
from annotation.fieldwork.pages import screening_views as screening
from annotation.fieldwork.pages import worker_views
from config import help_pages, login_views, server_views
from config.accounts import views as accounts

# Patterns are tried one after another: the addresses of every saved answer come first.
worker: list[URLPattern | URLResolver] = [
    path("judging/", include("judging.urls")),
    path("writing/", include("writing.urls")),
    path("", worker_views.work, name="work"),
    path("consent/", worker_views.consent, name="consent"),
    path("screening/", screening.screening, name="screening"),
    path("instructions/", worker_views.instructions, name="instructions"),
    path("return/", worker_views.return_task, name="return_task"),
    path("withdraw/", worker_views.withdraw, name="withdraw"),
    path("images/<slug:digest>/", images.image, name="image"),
    path("receipt/", worker_views.receipt, name="receipt"),
    path("done/", worker_views.done, name="done"),
    path("next/", worker_views.next_task, name="next_task"),
]

urlpatterns = [
    path("w/<str:token>/", include(worker)),
    path("", include("analysis.urls")),
    path("", include("judging.pages.query_urls")),
    path("", include("judging.pages.bank_urls")),
    path("", include("judging.pages.coding_urls")),
    path("", include("judging.pages.session_urls")),
    path("", include("judging.pages.bank_page_urls")),
    path("", include("annotation.urls")),
    path("", include("judging.pages.urls")),
    path("", include("writing.console_urls")),
    path("s/<slug:slug>/", worker_views.arrive, name="arrive"),
    path("alive", server_views.alive, name="alive"),
    path("ready", server_views.ready, name="ready"),
    path("metrics", server_views.metrics, name="metrics"),
    path("login/", login_views.LoginView.as_view(), name="login"),
    path("login/code/", login_views.code, name="login_code"),
    path("two-step/", login_views.two_step, name="two_step"),
    path("two-step/prepare/", login_views.prepare, name="two_step_prepare"),
    path("two-step/on/", login_views.turn_on, name="two_step_on"),
    path("two-step/off/", login_views.turn_off, name="two_step_off"),
    path("set-up/", accounts.set_up, name="set_up"),
    path("account/", accounts.account, name="account"),
    path("account/password/", accounts.PasswordView.as_view(), name="password"),
    path("account/sessions/end/", accounts.end_sessions, name="end_sessions"),
    path("forgotten/", accounts.ForgottenView.as_view(), name="forgotten"),
    path(
        "new-password/<str:uidb64>/<str:token>/",
        accounts.NewPasswordView.as_view(),
        name="new_password",
    ),
    path("people/server/", server_views.server_status, name="server_status"),
    path("people/<int:pk>/", accounts.person, name="person"),
    path("people/<int:pk>/activate/", accounts.activate, name="person_activate"),
    path("people/<int:pk>/reset/", accounts.reset, name="person_reset"),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
    path("help/", help_pages.help_page, name="help"),
    path("help/<path:path>", help_pages.help_page, name="help_page"),
    path("admin/", admin.site.urls),
]
handler400 = "config.error_pages.not_understood"
handler404 = "config.error_pages.not_found"
handler500 = "config.error_pages.failed"
