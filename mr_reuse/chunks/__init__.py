"""Copied chunks: what a chunk is, how they are counted, labeled and matched."""

from mr_reuse.chunks import annotation_tables, change_tables, chunk_tables
from mr_reuse.chunks.chunk_steps import STEPS as STEPS

TABLES = (*chunk_tables.TABLES, *change_tables.TABLES)
EXPORTED = annotation_tables.TABLES
