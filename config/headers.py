"""Headers of every answer that Django has no setting for."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

# What no page of ours uses, nor a page that one of ours shows in a frame. Copying to the clipboard
# and full screen stay as browsers have them.
UNUSED = (
    "accelerometer",
    "autoplay",
    "browsing-topics",
    "camera",
    "display-capture",
    "geolocation",
    "gyroscope",
    "hid",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "publickey-credentials-get",
    "screen-wake-lock",
    "serial",
    "usb",
    "xr-spatial-tracking",
)
POLICY = ", ".join(f"{feature}=()" for feature in UNUSED)


class PermissionsPolicyMiddleware:
    """Turns features of browsers off that no page uses, for our pages and what they frame."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", POLICY)
        return response
