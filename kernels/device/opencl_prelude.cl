// The names that the common texts use, in OpenCL C 1.2; cuda_prelude.cu defines them in CUDA.
#define KERNEL __kernel
#define FUNCTION static
#define GLOBAL __global
#define SHARED __local
#define LOCAL __local
#define SYNC barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define LOCAL_ID ((int)get_local_id(0))
#define LOCAL_SIZE ((int)get_local_size(0))
#define GROUP_ID ((int)get_group_id(0))
#define GROUPS ((int)get_num_groups(0))
#define ONES(x) ((int)popcount(x))
#define LOWEST(x) (63 - (int)clz((x) & -(x)))
// adds n to a 32-bit cell shared by all, and returns its previous value
#define RESERVE(cell, n) atomic_add(cell, n)
// the same for a cell of the group
#define ADD_SHARED(cell, n) atomic_add(cell, (uint)(n))
// lowers a cell of the group to n if n is less
#define MIN_SHARED(cell, n) atomic_min(cell, (uint)(n))
#define HIGH_HALF(x, y) mul_hi(x, y)

// SPAN 64-bit numbers, which one work-item reads at once
#if SPAN == 8
typedef ulong8 Part;
#define LOAD(numbers, at) vload8(0, (numbers) + (at))
#define ANY(part) any((part) != (ulong8)0)
#define SPLIT(part, numbers) vstore8(part, 0, numbers)
#else
typedef ulong Part;
#define LOAD(numbers, at) (numbers)[at]
#define ANY(part) ((part) != 0)
#define SPLIT(part, numbers) ((numbers)[0] = (part))
#endif
