"""Describe this machine: processor, memory, GPUs, and the energy of a timed region.

In: `backend`, `packing`; NVML if it is installed. Out: plain values and readings.
"""
