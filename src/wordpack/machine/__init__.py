"""Describe this machine: processor, memory, GPUs, and the energy of a timed region.

Uses `backend`, `packing`; NVML if it is installed. Offers plain values and readings.
"""
