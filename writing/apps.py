from django.apps import AppConfig


class WritingConfig(AppConfig):
    name = "writing"
    verbose_name = "Writing studies"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from writing.studies import timing  # noqa: F401  connects their receivers
