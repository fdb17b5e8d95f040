"""Phrases: the five words in a row that many pages share, and near-duplicate pages."""

from mr_reuse.phrases.phrase_steps import STEPS as STEPS
from mr_reuse.phrases.phrase_tables import TABLES as TABLES
