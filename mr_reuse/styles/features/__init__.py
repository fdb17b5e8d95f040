"""What the pages of a style have in common, and others lack."""
