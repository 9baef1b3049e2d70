"""Request budgets of accounts, in the cache that all web processes share.

The limits stop runaway programs. A person who uses the pages never reaches them.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from rest_framework.throttling import SimpleRateThrottle, UserRateThrottle

from annotation.refusals import too_often

View = Callable[..., HttpResponseBase]


class ApiThrottle(UserRateThrottle):
    """The requests that one account may send to the API in a minute."""

    scope = "api"

    def get_rate(self) -> str:
        return f"{settings.API_REQUESTS_PER_MINUTE}/min"


class _PageThrottle(SimpleRateThrottle):
    """The same for one page of the console. Django's requests have all that it asks for."""

    def __init__(self, page: str, *, per_minute: int) -> None:
        self.rate, self.scope = f"{per_minute}/min", f"page:{page}"
        super().__init__()

    def get_cache_key(self, request: Any, view: Any) -> str:
        who = request.user.pk if request.user.is_authenticated else self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": who}


def budgeted(*, per_minute: int) -> Callable[[View], View]:
    """Limit the forms that an account sends to this page in a minute.

    Raises the refusal TooOften, which RefusalMiddleware answers with 429.
    """

    def decorator(view: View) -> View:
        @wraps(view)
        def page(request: HttpRequest, *args: Any, **named: Any) -> HttpResponseBase:
            if request.method == "POST":
                throttle = _PageThrottle(view.__name__, per_minute=per_minute)
                if not throttle.allow_request(request, None):  # type: ignore[arg-type]
                    raise too_often(throttle.wait())
            return view(request, *args, **named)

        return page

    return decorator
