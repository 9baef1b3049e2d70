"""Text format their study says: to workers, on the page of an item and in the export."""

import pytest
from django.urls import reverse

from analysis.exports.source import ExportSource
from analysis.exports.texts import responses
from annotation.models import Study
from tests.cast import begun, bob, draft_study, open_study, rita, small_corpus

pytestmark = pytest.mark.django_db
TEXT = "# Salt\n\nIt is *salty*: $x_1$ [0]."
SHOWN = {  # white space is even in tests (tests.markup)
    "markdown": ("<em>salty</em>", '<span data-formula="inline">$x_1$</span>'),
    "plain": ("<p># Salt</p>", "It is *salty*: $x_1$"),
    "preformatted": ("as-written", "# Salt It is *salty*: $x_1$"),
}


@pytest.mark.parametrize("rendering", Study.Rendering.values)
def test_a_study_shows_its_texts_in_one_way(client, rendering):
    corpus = small_corpus(responses=2)
    corpus.responses.update(text=TEXT)
    draft = draft_study(instrument="crowdrag-pairwise", corpus=corpus, rendering=rendering)
    study = open_study(draft)
    work = begun(study, bob())
    page = client.get(reverse("judging:item", args=[work.token, 1])).content.decode()
    client.force_login(rita())
    item = study.items.get()
    of_item = client.get(reverse("item_page", args=[study.slug, study.version, item.pk]))
    key = corpus.responses.first().key
    of_text = client.get(reverse("response_page", args=[study.slug, study.version, key]))
    for html in (page, of_item.content.decode(), of_text.content.decode()):
        for piece in SHOWN[rendering]:
            assert piece in html
    rows = list(responses(ExportSource.of(study)))
    assert {(row["text"], row["rendering"]) for row in rows} == {(TEXT, rendering)}
