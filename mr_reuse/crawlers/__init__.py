"""Pages judged while they are crawled."""
