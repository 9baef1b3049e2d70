from django.apps import AppConfig


class JudgingConfig(AppConfig):
    name = "judging"
    verbose_name = "Judging studies"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from judging import receivers  # noqa: F401  connects them
        from judging.design import launching

        launching.register_kind()
