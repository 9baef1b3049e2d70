"""Tasks and assignments: who may take which, and the life of one."""
