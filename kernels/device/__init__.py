"""The same search level by level on a GPU: one C text, a host for CUDA and one for OpenCL.

Uses plans and buckets from `search`. Offers the backends `cuda` and `opencl`, and devices and
buffers to `counting` and `games`. Only `cuda_host` imports CuPy; only `opencl_host` imports
pyopencl.
"""
