"""Grams: how they are hashed, packed, and gathered with their documents."""
