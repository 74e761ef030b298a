"""The HTTP API: the same verbs, questions and rights as the pages, as JSON."""
