"""Review queue: all submitted work, texts and judgments alike, for reviewers."""
