"""The same search level by level on a GPU: one C text, a host for CUDA and one for OpenCL.

In: `search` for plans and buckets. Out: the backends `cuda` and `opencl`; devices and their buffers
for `counting` and `games`. CuPy is imported by `cuda_host` alone, pyopencl by `opencl_host` alone.
"""
