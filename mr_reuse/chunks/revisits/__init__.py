"""Revisits: captures whose content is in another record, their target."""
