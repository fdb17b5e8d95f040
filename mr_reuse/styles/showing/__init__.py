"""Styles of a run for people: a style with its pages, and the style of a page."""
