"""Study kind 1: a worker writes a response from ranked passages."""
