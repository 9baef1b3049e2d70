"""The judging study of the Crowd RAG Corpus 2025.

Door: `importing.import_judging_study`, `model_importing.import_model_raters`; `rows` for what
stands in its files.
"""
