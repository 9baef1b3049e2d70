"""How people arrive, and who they are."""
