"""asv's result files: reading, machine names, packing, merging, and reasons for gaps.

Uses `machine`, `backend`, `text`, `system`. Offers checked documents; one packed file of a machine.
"""
