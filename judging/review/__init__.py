"""How questionnaires were done, and the decision about them."""
