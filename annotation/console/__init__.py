"""The researcher's pages of the platform."""
