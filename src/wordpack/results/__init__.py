"""asv's result files: reading, machine names, packing, merging, and reasons for gaps.

In: `machine`, `backend`, `text`, `system`. Out: checked documents; one packed file of a machine.
"""
