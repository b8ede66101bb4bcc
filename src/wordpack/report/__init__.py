"""Results of any number of machines, as one page and as tables; a gate that compares two sets.

In: `results` and races as files, `solving` for what is known; plotly, jinja2 and scipy where used.
Out: an HTML page, CSV, JSON, and an exit status.
"""
