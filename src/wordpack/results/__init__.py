"""asv's result files and those who made them: machine names, packing, merging, reasons for gaps.

In: `machine`, `backend`, `text`, `system`. Out: checked documents; one packed file of a machine.
"""
