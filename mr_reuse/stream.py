"""Public names for matching pages that arrive in pieces, of `chunks.detect.matcher`."""

from mr_reuse.chunks.detect.matcher import Matcher, Page, Verdict

__all__ = ['Matcher', 'Page', 'Verdict']
