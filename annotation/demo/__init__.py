"""The sample study: the whole loop on a small data set, with simulated readers."""
