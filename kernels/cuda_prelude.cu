// What walk.c and levels.c ask of CUDA.
typedef unsigned int uint;
typedef unsigned long long ulong;
#define KERNEL extern "C" __global__
#define FUNCTION static __device__ __forceinline__
#define GLOBAL
#define LOCAL_ID ((int)threadIdx.x)
#define LOCAL_SIZE ((int)blockDim.x)
#define GROUP_ID ((int)blockIdx.x)
#define GROUPS ((int)gridDim.x)
#define ONES(x) __popcll(x)
#define LOWEST(x) (__ffsll(x) - 1)
// adds n to a 32-bit cell that all share, and returns what stood there before
#define RESERVE(cell, n) reserve(cell, n)

// SPAN numbers of 64 bits, which one thread takes at once
#if SPAN != 1
#error "threads of a warp read side by side: SPAN is 1"
#endif
typedef ulong Part;
#define LOAD(numbers, at) (numbers)[at]
#define ANY(part) ((part) != 0)
#define SPLIT(part, numbers) ((numbers)[0] = (part))

// one atomic for all threads of a warp that are here together
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
