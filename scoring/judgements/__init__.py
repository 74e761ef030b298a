"""What people said: agreement, decisions, deviation, shares, preference, noise ceiling; and simulated people."""
