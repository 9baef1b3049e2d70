"""Look-up of a person's upload. Only reads."""

from django.contrib.auth.models import AnonymousUser, User
from django.shortcuts import get_object_or_404

from annotation.models import CorpusUpload
from annotation.people import access
from annotation.people.access import Act


def upload_for(user: User | AnonymousUser, *, pk: int) -> CorpusUpload:
    """Return the upload of a user who may still change its corpus.

    Raises Http404, and the errors of access.corpus_for.
    """
    uploads = CorpusUpload.objects.select_related("corpus", "owner")
    upload: CorpusUpload = get_object_or_404(uploads, pk=pk, owner_id=user.pk)
    if upload.corpus and upload.state != CorpusUpload.State.IMPORTED:
        access.corpus_for(user, slug=upload.corpus.slug, may=Act.EDIT)
    return upload
