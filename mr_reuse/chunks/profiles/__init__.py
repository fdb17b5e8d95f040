"""Descriptions of pages, and of the hosts that have their labels."""
