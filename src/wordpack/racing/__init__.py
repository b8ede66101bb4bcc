"""Race backends: one process each, a time budget, every run verified, a leaderboard.

In: `solving`, `backend`, `machine`, `text`, `system`. Out: times, a table, a JSON file.
"""
