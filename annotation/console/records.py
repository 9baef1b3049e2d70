"""Raw records in the admin: read-only.

States, places and answers change through the domain alone, where every step is guarded; a form
that writes a row directly would walk around it.
"""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin


class RecordAdmin(ModelAdmin):
    """View only."""

    list_per_page = 50
    show_full_result_count = False  # no COUNT(*) over millions of judgments

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


def show(model: type[Model], *columns: str, **options: Any) -> None:
    """Register a model as view-only records with these columns."""
    admin.site.register(
        model, type("Records", (RecordAdmin,), {"list_display": columns, **options})
    )
