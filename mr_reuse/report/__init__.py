"""The report of a run: its sections, plots and templates.

`page.py` lists the sections. A section is a function of the run. It returns the data
for its template in `templates/`, or None if the run has no data for it.
"""
