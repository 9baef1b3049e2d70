"""Review of questionnaires: evidence, automatic decisions, redos, active time."""
