"""How `review` draws a sample, shows it to a person, and counts what was said of it."""
