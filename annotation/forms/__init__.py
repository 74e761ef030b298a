"""Forms check what was sent and turn it into values; views receive values."""
