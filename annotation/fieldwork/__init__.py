"""Fieldwork: recruiting, tasks of workers, screening, consent, review, pay and trials."""
