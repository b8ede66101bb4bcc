"""Race backends: one process each, a time budget, every run verified, a leaderboard.

Uses `solving`, `backend`, `machine`, `text`, `system`. Offers times, a table, a JSON file.
"""
