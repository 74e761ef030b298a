"""The Django app: campaigns, the people who answer in them, decisions, and the jobs that run library code."""
