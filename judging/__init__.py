"""Study kind 2: raters answer questions about items."""
