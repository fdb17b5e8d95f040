"""Synthetic crawls: sites, pages, planted copies, hostile pages, damage, answer key."""
