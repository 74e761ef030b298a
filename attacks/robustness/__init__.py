"""How easily a constraint is itself fooled (Morris 2020, "Second-Order NLP Adversarial Examples", BlackboxNLP)."""
