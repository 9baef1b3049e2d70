"""Documentation site under /help/, as `make docs` has built it. Readable without signing in."""

from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe
from django.views.static import serve

INDEX = "index.html"
CACHE = "public, max-age=3600"  # seconds; a new release is read within the hour


@require_safe
def help_page(request: HttpRequest, path: str = "") -> HttpResponseBase:
    """Return a page or file of the site; without a site, the command that builds it."""
    root = Path(settings.HELP_ROOT)
    if not (root / INDEX).is_file():
        return render(request, "help_missing.html", status=404)
    if path and not path.endswith("/") and (root / path / INDEX).is_file():
        return redirect("help_page", f"{path}/")
    file = f"{path}{INDEX}" if not path or path.endswith("/") else path
    if any(part.startswith(".") for part in file.split("/")):
        raise Http404("Help page not found.")
    response = serve(request, file, document_root=str(root))
    response.headers["Cache-Control"] = CACHE
    return response
