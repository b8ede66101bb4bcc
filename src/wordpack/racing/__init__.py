"""A race of backends: a process for each, a budget, every run verified, the leaderboard.

In: `solving`, `backend`, `machine`, `text`, `system`. Out: times, a table, a JSON file.
"""
