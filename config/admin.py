"""The stock Django admin, under our name: the raw records."""

from django.contrib.admin import AdminSite
from django.contrib.admin.apps import AdminConfig


class CrowdwrightAdminSite(AdminSite):
    site_header = "Crowdwright records"
    site_title = "Crowdwright"
    index_title = "Raw records"


class CrowdwrightAdminConfig(AdminConfig):
    default_site = "config.admin.CrowdwrightAdminSite"
