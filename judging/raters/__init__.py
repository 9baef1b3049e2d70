"""Raters: who they are, and labels that were given elsewhere. Door: `importing`, `registering`,
`removing`."""
