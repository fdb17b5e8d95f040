"""Finds reused content in web crawls: what is copied, and where the copies are."""

__version__ = '0.1.0'
