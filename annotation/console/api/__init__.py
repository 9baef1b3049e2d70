"""The programming interface of the platform: corpora, drafts, studies, batches as JSON.

Door: `resource.Resource`, the base of every address, also of those in analysis/api.py. Whatever an
address changes, it changes by the function that the page calls.
"""
