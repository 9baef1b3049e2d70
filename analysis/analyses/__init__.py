"""The analyses that runs offer, one family a file: a question in, tables out.

Door: `catalogue.CATALOGUE`, the analyses by name. `analysis.inputs.definition` has their class,
`analysis.pages.results.presentation` their presentation.
"""
