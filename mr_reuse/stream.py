"""Public names for matching pages that arrive in pieces, of `chunks.matcher`."""

from mr_reuse.chunks.matcher import Matcher, Page, Verdict

__all__ = ['Matcher', 'Page', 'Verdict']
