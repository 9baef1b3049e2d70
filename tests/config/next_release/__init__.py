"""Settings and migrations of a release after this one, for tests of an upgrade."""
