"""Quilts: pages that are stitched together from patches of other pages."""

from mr_reuse.quilts.quilt_steps import STEPS as STEPS
from mr_reuse.quilts.quilt_tables import TABLES as TABLES
