"""Replication of the tables and figures of Gienapp et al. (SIGIR 2025) from their corpus."""
