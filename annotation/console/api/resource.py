"""Shared parts of all addresses of the API: permissions, and the answer to a refusal."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.contrib.auth.models import User
from drf_spectacular.utils import inline_serializer
from rest_framework import serializers
from rest_framework.exceptions import APIException
from rest_framework.pagination import PageNumberPagination
from rest_framework.permissions import BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.models import ApiKey
from annotation.people.access import Act
from annotation.refusals import Refusal
from annotation.texts.translation import translated_error


class InScope(BasePermission):
    """A key does what its scopes say; somebody who is logged in needs none."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if not isinstance(request.auth, ApiKey):
            return True
        act = getattr(view, "acts", {}).get(request.method or "", Act.VIEW)
        self.message = f"This API key lacks the permission “{act}”. Create a key that has it."
        return request.auth.allows(act)


class Resource(APIView):
    """An address of the API. `acts`: method -> what a key, and the person's role, must allow.

    GET reads and POST acts; there are no other methods. A refusal is answered with its status.
    """

    acts: ClassVar[dict[str, Act]] = {"GET": Act.VIEW}
    permission_classes = (IsAuthenticated, InScope)

    @property
    def act(self) -> Act:
        return self.acts[self.request.method or "GET"]

    @property
    def person(self) -> User:
        assert isinstance(self.request.user, User)
        return self.request.user

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, Refusal):
            exc = DomainRefusal(exc, status=exc.status)
        return super().handle_exception(exc)


class DomainRefusal(APIException):
    """A refusal of the domain, answered with its sentence.

    `faults` are places and sentences; `more` are further fields for programs.
    """

    status_code = 409

    def __init__(
        self,
        error: Exception | str,
        *,
        status: int = 409,
        faults: list[dict[str, str]] | None = None,
        more: dict[str, Any] | None = None,
    ) -> None:
        detail: dict[str, Any] = {
            "detail": error if isinstance(error, str) else translated_error(error)
        }
        if faults is not None:
            detail["faults"] = faults
        super().__init__(detail)
        if more:  # figures stay figures: REST framework makes words of all that it is given
            self.detail = {**detail, **more}
        self.status_code = status


def understood(serializer: type[serializers.Serializer[Any]], data: Any) -> dict[str, Any]:
    """Return the validated data. Raises DRF's ValidationError, which names each field."""
    form = serializer(data=data)
    form.is_valid(raise_exception=True)
    values: dict[str, Any] = form.validated_data
    return values


def page_of(rows: serializers.Field[Any, Any, Any, Any], name: str) -> Any:
    """Return the description of a page of these rows, as `paged` answers; `name` is its own."""
    return inline_serializer(
        name,
        {
            "count": serializers.IntegerField(),
            "next": serializers.URLField(allow_null=True),
            "previous": serializers.URLField(allow_null=True),
            "results": rows,
        },
    )


def paged(
    request: Request,
    rows: Any,
    serializer: type[serializers.BaseSerializer[Any]],
    *,
    shown: Callable[[Any], Any] = list,
) -> Response:
    """Return a list, 100 rows per page: `?page=2`. `shown` converts the rows of a page."""
    pages = PageNumberPagination()
    pages.page_size = 100
    some = pages.paginate_queryset(rows, request)
    return pages.get_paginated_response(serializer(shown(some), many=True).data)
