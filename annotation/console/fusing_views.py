"""The page on which rankings of a corpus are fused."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation.console.corpora_views import head
from annotation.corpora import contents, fusing
from annotation.corpora.fusion import K
from annotation.models import Ranking
from annotation.people import access
from annotation.people.access import Act


@login_required
@require_http_methods(["GET", "POST"])
def fuse_rankings(request: HttpRequest, slug: str) -> HttpResponse:
    one = access.corpus_for(request.user, slug=slug, may=Act.EDIT)
    name, k = request.POST.get("name", ""), str(K)
    of = [ranking.replace("\x00", "") for ranking in request.POST.getlist("of")]
    fault = None
    if request.method == "POST":
        name, k = name.replace("\x00", ""), request.POST.get("k", "").strip()
        number = int(k) if k.isascii() and k.isdigit() and len(k) < 6 else -1
        try:
            with transaction.atomic():
                made = fusing.fuse(corpus=one, of=of, name=name, k=number)
                access.record(user=request.user, act="fused rankings", what=made.name, of=one)
        except fusing.CannotFuse as refused:
            fault = refused
        else:
            messages.success(
                request, _("%(name)s now has the fused ranking.") % {"name": made.name}
            )
            at = reverse("corpus_part", args=[slug, "rankings"])
            return redirect(f"{at}?{urlencode({'system': made.key})}")
    context = {
        **head(one, "systems"),
        "systems": contents.systems(one).filter(pk__in=Ranking.objects.values("system")),
        "values": {"of": of, "name": name, "k": k},
        "fault": fault,
    }
    return render(request, "console/corpus/fuse.html", context, status=400 if fault else 200)
