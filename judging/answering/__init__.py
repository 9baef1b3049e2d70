"""Workers' answers: the pages, the scales, the saved judgments."""
