"""Thin wrappers that run library code as jobs. Each module has `run(job, **arguments) -> dict`."""
