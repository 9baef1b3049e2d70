"""The stock Django admin, under our name: the raw records."""

from typing import Any

from django.contrib import admin
from django.contrib.admin import AdminSite
from django.contrib.admin.apps import AdminConfig
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse


class CrowdwrightAdminSite(AdminSite):
    site_header = "Crowdwright records"
    site_title = "Crowdwright"
    index_title = "Raw records"

    def has_permission(self, request: HttpRequest) -> bool:
        """Allow administrators only, because raw records know no teams."""
        return request.user.is_active and request.user.is_superuser

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Raw records can make anybody an administrator: changes need the password again."""
        from annotation.console.confirmed import confirmed  # it needs models, this file none

        changes = view if view == self.logout else confirmed(view)
        return super().admin_view(changes, cacheable)

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """There is one way in, and a second step on it: no other form takes a password."""
        from django.contrib.auth.views import redirect_to_login  # it needs models, this file none

        index = reverse("admin:index")
        if self.has_permission(request):
            return redirect(index)
        return redirect_to_login(request.GET.get(REDIRECT_FIELD_NAME, index))


class CrowdwrightAdminConfig(AdminConfig):
    default_site = "config.admin.CrowdwrightAdminSite"

    def ready(self) -> None:
        """No researcher reads the secret of another one's phone."""
        super().ready()
        from django_otp.plugins.otp_static.models import StaticDevice
        from django_otp.plugins.otp_totp.models import TOTPDevice

        admin.site.unregister([StaticDevice, TOTPDevice])
