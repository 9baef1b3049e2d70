"""Which items, in which questionnaires: drawn, previewed, written."""
