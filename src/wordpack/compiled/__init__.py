"""Numba kernels as plain C functions: compiled once, kept between processes, run on threads.

In: `system`, numba and llvmlite. Out: bound C functions, machine instructions, a pool of threads.
"""
