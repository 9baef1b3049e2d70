"""The writing as it happened."""
