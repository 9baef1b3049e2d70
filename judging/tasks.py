"""Work of judging studies in the background."""

from celery import shared_task

from judging.review import examining

AT_ONCE = 500  # questionnaires that a sweep examines


@shared_task
def sweep() -> None:
    """Examine what was handed in and not examined: imported work, or that of a killed server."""
    for pk in list(examining.unexamined().order_by("pk").values_list("pk", flat=True)[:AT_ONCE]):
        examining.examine(pk=pk)
