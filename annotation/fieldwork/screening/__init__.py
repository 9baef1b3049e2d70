"""Who is fit for a study: questions before the work, and qualifications that studies give and ask.

Door: `admission.require_admitted` and `is_due` (only read), `screening.take`,
`qualifying.qualify`; `views` for the worker's page, `console_views` for the researcher's.
"""
