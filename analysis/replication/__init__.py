"""The tables and figures of Gienapp et al. (SIGIR 2025), computed anew from their corpus."""
