"""Fingerprints of styles: the noise of a page, and the least hashes of its n-grams."""
