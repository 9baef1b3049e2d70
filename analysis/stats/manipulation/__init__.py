"""Evidence on votes that honest and independent workers rarely give. Pure."""
