"""How often 95% intervals contain the true value in simulated studies."""
