"""Report results of any number of machines as a page and tables; compare two sets of results.

Uses `results` and race files, `solving` for known answers; plotly, jinja2 and scipy when needed.
Offers an HTML page, CSV, JSON, and an exit status.
"""
