"""Features of styles: markup that their pages have in common, and others lack."""
