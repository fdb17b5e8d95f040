"""The parts of `report.html`: what is told (one module a section), drawn and written.

`page.py` lists the sections. A section is a function of the run that gives what its
template in `templates/` says, or None where the run has nothing for it.
"""
