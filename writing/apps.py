from django.apps import AppConfig


class WritingConfig(AppConfig):
    name = "writing"
    verbose_name = "Writing studies"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # They connect their receivers.
        from writing.editor import drafting  # noqa: F401
        from writing.review import publishing, waiting  # noqa: F401
        from writing.studies import (
            active_time,  # noqa: F401
            launching,
        )

        launching.register_kind()
