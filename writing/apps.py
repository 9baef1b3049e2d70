from django.apps import AppConfig


class WritingConfig(AppConfig):
    name = "writing"
    verbose_name = "Writing studies"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from writing import drafting, publishing, timing  # noqa: F401  connects their receivers
