"""From inputs to the pages of a corpus: plan, filters, estimates."""
