"""Detection of copied pages while a crawler runs."""
