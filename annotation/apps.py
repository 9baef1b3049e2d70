from django.apps import AppConfig
from django.db.models.signals import post_migrate


class AnnotationConfig(AppConfig):
    name = "annotation"
    verbose_name = "The platform"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # They connect their receivers.
        from annotation import clearing_cache
        from annotation.fieldwork.consenting import erasing_expired  # noqa: F401
        from annotation.fieldwork.paying import accounting, budgeting  # noqa: F401
        from annotation.fieldwork.recruiting import completion_codes  # noqa: F401
        from annotation.fieldwork.recruiting.prolific import (
            stalled_recruitment,  # noqa: F401
        )
        from annotation.fieldwork.screening import (
            scoring,  # noqa: F401
        )
        from annotation.fieldwork.trials import (
            recording_trials,  # noqa: F401
        )
        from annotation.people.access import confirming  # noqa: F401
        from annotation.studies import batching  # noqa: F401

        post_migrate.connect(clearing_cache.forget_all, sender=self)
