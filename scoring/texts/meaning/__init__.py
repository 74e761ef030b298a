"""The learned meaning score: how likely people are to say that an adversarial text kept the original's meaning."""
