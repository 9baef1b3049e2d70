"""Writing process of a text: provenance, measures, rhythm, evidence, ranks in the study.

Door: `process.process_of` computes, `measuring` keeps it, `measured` tells it to people.
"""
