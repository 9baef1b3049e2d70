"""Rankings of passages and their grades: qrels, trec measures, coverage."""
