"""The report of a run: its sections, plots and templates.

`sections` of the module or package that is named after a system yields its sections,
each with the data for its template in `templates/`.
"""
