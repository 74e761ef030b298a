"""What tells adversarial texts by where their representations lie. Representations and labels come in as arrays: nothing here
knows a victim."""
