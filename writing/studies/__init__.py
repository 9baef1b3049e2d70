"""A writing study: its instrument, its tasks, a simulated crowd, the import of a published one."""
