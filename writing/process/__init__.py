"""How a text was written: measures, rhythm, evidence, and where each stands in its study."""
