"""The analyses that runs offer, one family a file: a question in, tables out.

Door: `catalogue.CATALOGUE`, the analyses by name. Their class is `analysis.inputs.definition`'s
`Analysis`, their presentation is in `analysis.pages.results.presentation`.
"""
