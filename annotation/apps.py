from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    name = "annotation"
    verbose_name = "The platform"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotation.studies import batching  # noqa: F401  connects its receiver
