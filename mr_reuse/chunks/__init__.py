"""Copied chunks: what a chunk is, how they are counted, labeled and matched."""

from mr_reuse.chunks.chunk_steps import STEPS as STEPS
from mr_reuse.chunks.chunk_tables import TABLES as TABLES
