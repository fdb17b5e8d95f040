"""The pages of a corpus: inputs, plan, filters, estimates."""
