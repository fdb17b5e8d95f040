"""Matching of pages that arrive in pieces: see `mr_reuse.chunks.matcher`."""

from mr_reuse.chunks.matcher import Matcher, Page, Verdict

__all__ = ['Matcher', 'Page', 'Verdict']
