"""What machine this is: processor, memory, GPUs, and what a timed region cost on its device.

In: `backend`, `packing`; NVML where it is installed. Out: plain values and readings.
"""
