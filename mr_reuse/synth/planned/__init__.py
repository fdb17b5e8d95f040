"""Planned pages: made of passages, so that their words and grams are known."""
