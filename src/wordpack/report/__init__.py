"""Report results of any number of machines as a page and tables; compare two sets of results.

In: `results` and race files, `solving` for known answers; plotly, jinja2 and scipy when needed.
Out: an HTML page, CSV, JSON, and an exit status.
"""
