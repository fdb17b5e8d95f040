"""Planted styles: pages of templates, farms, mirrors and themes, and their key."""
