"""The documentation site: what it adds to Sphinx and its theme."""
