"""Papers whose inputs are their own lower tables: Popp et al., Rubric, SGSS."""
