"""How a text was written: provenance, measures, rhythm, evidence, and their place in the study.

Door: `process.process_of` computes, `measuring` keeps it, `measured` tells it to people.
"""
