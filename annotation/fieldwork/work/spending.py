"""A submission that its platform pays once is good for one task (`Study.one_task_a_submission`)."""

from django.db import IntegrityError, transaction

from annotation.fieldwork.work.refusals import SubmissionUsed
from annotation.models import Assignment


def insert_alone(assignment: Assignment) -> None:
    """Raises SubmissionUsed where another person has named the same submission just now."""
    try:
        with transaction.atomic():
            assignment.save(force_insert=True)
    except IntegrityError as error:
        if "one_work_per_submission" in str(error) or "session_hash" in str(error):
            raise SubmissionUsed from error
        raise


def is_spent(late: Assignment) -> bool:
    """Whether the submission of late work has had another task since."""
    return late.alone and Assignment.objects.spending(late.session_hash).exists()
