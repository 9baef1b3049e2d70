from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    name = "annotation"
    verbose_name = "The platform"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # They connect their receivers.
        from annotation.consenting import retaining  # noqa: F401
        from annotation.paying import accounting, budgeting  # noqa: F401
        from annotation.screening import screening  # noqa: F401
        from annotation.studies import batching  # noqa: F401
        from annotation.trials import noting  # noqa: F401
