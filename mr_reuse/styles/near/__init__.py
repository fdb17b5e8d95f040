"""All documents by their similarity to one page: `styles near`."""
