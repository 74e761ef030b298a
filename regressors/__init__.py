"""Predicting how suspicious a text looks to people, with an honest account of how well. No Django, no attack code."""
