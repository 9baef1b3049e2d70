from django.apps import AppConfig


class JudgingConfig(AppConfig):
    name = "judging"
    verbose_name = "Judging studies"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from judging import receivers  # noqa: F401  connects them
        from judging.authors.rounds import AUTHOR_ROUNDS
        from judging.banks.rounds import ENTRY_ROUNDS
        from judging.calls import askers
        from judging.coders.rounds import CODER_ROUNDS
        from judging.drafts import launching
        from judging.machines.judges import JUDGES
        from judging.queries.rounds import ROUNDS

        launching.register_kind()
        askers.register(JUDGES)
        askers.register(ROUNDS)
        askers.register(ENTRY_ROUNDS)
        askers.register(AUTHOR_ROUNDS)
        askers.register(CODER_ROUNDS)
