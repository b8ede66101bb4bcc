"""Numba kernels as plain C functions: compiled once, kept between processes, run on threads.

Uses `system`, numba and llvmlite. Offers bound C functions, machine instructions, a pool of
threads.
"""
