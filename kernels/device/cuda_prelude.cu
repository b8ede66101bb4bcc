// The names that the common texts use, in CUDA; opencl_prelude.cl defines them in OpenCL C.
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long long ulong;
#define KERNEL extern "C" __global__
#define FUNCTION static __device__ __forceinline__
#define GLOBAL
#define SHARED __shared__
#define LOCAL
#define SYNC __syncthreads()
#define LOCAL_ID ((int)threadIdx.x)
#define LOCAL_SIZE ((int)blockDim.x)
#define GROUP_ID ((int)blockIdx.x)
#define GROUPS ((int)gridDim.x)
#define ONES(x) __popcll(x)
#define LOWEST(x) (__ffsll(x) - 1)
#define HIGH_HALF(x, y) __umul64hi(x, y)
// adds n to a 32-bit cell shared by all, and returns its previous value
#define RESERVE(cell, n) reserve(cell, n)
// adds n to a 32-bit cell of the group
#define ADD_SHARED(cell, n) atomicAdd(cell, (uint)(n))
// lowers a 32-bit cell of the group to n if n is less
#define MIN_SHARED(cell, n) atomicMin(cell, (uint)(n))

// SPAN 64-bit numbers, which one thread reads at once
#if defined(SPAN) && SPAN != 1
#error "threads of a warp read side by side: SPAN is 1"
#endif
typedef ulong Part;
#define LOAD(numbers, at) (numbers)[at]
#define ANY(part) ((part) != 0)
#define SPLIT(part, numbers) ((numbers)[0] = (part))

// one atomic for all active threads of a warp
FUNCTION uint reserve(uint *cell, uint n)
{
    uint here = __activemask(), before = 0, all = 0, base = 0;
    int me = threadIdx.x & 31, first = __ffs(here) - 1;
    for (uint rest = here; rest; rest &= rest - 1) {
        int lane = __ffs(rest) - 1;
        uint theirs = __shfl_sync(here, n, lane);
        before += lane < me ? theirs : 0;
        all += theirs;
    }
    if (me == first) base = atomicAdd(cell, all);
    return __shfl_sync(here, base, first) + before;
}
