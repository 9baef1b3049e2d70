"""Pure numpy and scipy: one family of methods per file, no Django."""
