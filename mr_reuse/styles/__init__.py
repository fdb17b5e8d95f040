"""Styles: the pages whose markup comes from the same template, as clusters."""

from mr_reuse.styles.style_steps import STEPS as STEPS
from mr_reuse.styles.style_tables import TABLES as TABLES
