"""Background jobs: thin functions that run library code and report how far it has come."""
