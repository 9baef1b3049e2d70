"""Rankings of passages and what people found in them: qrels, trec measures, coverage. Pure."""
