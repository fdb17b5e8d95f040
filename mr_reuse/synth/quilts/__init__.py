"""Planted quilts: pages stitched from passages of other pages, and their answer key."""
