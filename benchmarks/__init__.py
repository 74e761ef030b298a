"""Measurements, each against a scratch data folder and a scratch database: `python -m benchmarks NAME`."""
