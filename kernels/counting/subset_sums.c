// Subset sums: sum c(|S|) z(S)^k over all letter sets S, where z(S) counts the masks inside S.
// A group owns a head: the letters of S above the twelve lowest. Words that fit drop into 4,096
// cells, one per set of low letters. Three passes turn the cells into z, four letters at a time in
// registers. Powers are looked up, and sums wrap at LIMBS 64-bit numbers, enough for the result.
// No unroll pragmas: constant loops unroll anyway, and PoCL 3.1 loses stores in loops told to.

#define LOW 12
#define CELLS (1 << LOW)
#define SETS 16

// the place of a cell: a gap after every sixteen sends neighbouring work-items to different banks
#define PLACE(cell) ((cell) + ((cell) >> 4))

FUNCTION void clear(ulong *sum)
{
    for (int limb = 0; limb < LIMBS; limb++) sum[limb] = 0;
}

// sum += more
FUNCTION void add(ulong *sum, const ulong *more)
{
    ulong carry = 0;
    for (int limb = 0; limb < LIMBS; limb++) {
        ulong part = more[limb] + carry;
        carry = part < carry;
        sum[limb] += part;
        carry += sum[limb] < part;
    }
}

// sum += number * factor, or sum -= number * factor if `minus` is 1
FUNCTION void add_product(ulong *sum, const ulong *number, ulong factor, int minus)
{
    ulong product[LIMBS], above = 0;
    for (int limb = 0; limb < LIMBS; limb++) {
        ulong low = number[limb] * factor + above;
        above = HIGH_HALF(number[limb], factor) + (low < above);
        product[limb] = minus ? ~low : low;
    }
    add(sum, product);
    if (minus) {
        ulong one[LIMBS];
        clear(one);
        one[0] = 1;
        add(sum, one);
    }
}

// replace each of sixteen numbers by the sum over all indices that are subsets of its index
FUNCTION void add_subsets(uint *z)
{
    for (int bit = 1; bit < SETS; bit *= 2)
        for (int set = 0; set < SETS; set++)
            if (set & bit) z[set] += z[set ^ bit];
}

// one pass of the transform over the cells that are `step` apart
FUNCTION void pass(LOCAL uint *cells, int base, int step)
{
    uint z[SETS];
    for (int set = 0; set < SETS; set++) z[set] = cells[PLACE(base + set * step)];
    add_subsets(z);
    for (int set = 1; set < SETS; set++) cells[PLACE(base + set * step)] = z[set];
}

// add c(|S|) z(S)^k for the sixteen S with these `letters` and any of the four highest low ones
FUNCTION void add_powers(
    ulong *sum, LOCAL const uint *cells, int base, int letters, int need,
    GLOBAL const ulong *powers, GLOBAL const ulong *coefficients)
{
    uint z[SETS];
    for (int set = 0; set < SETS; set++) z[set] = cells[PLACE(base + set * (CELLS / SETS))];
    add_subsets(z);
    for (int more = 0; more <= 4; more++) {
        if (letters + more > need) continue;
        ulong together[LIMBS];
        clear(together);
        for (int set = 0; set < SETS; set++)
            if ((set & 1) + (set >> 1 & 1) + (set >> 2 & 1) + (set >> 3) == more) {
                ulong power[LIMBS];
                for (int limb = 0; limb < LIMBS; limb++)
                    power[limb] = powers[(ulong)z[set] * LIMBS + limb];
                add(together, power);
            }
        int n = letters + more;
        add_product(sum, together, coefficients[n], (need - n) & 1);
    }
}

// add the sums of all work-items of the group into the first one's
FUNCTION void gather(ulong *sum, GLOBAL ulong *own)
{
    for (int limb = 0; limb < LIMBS; limb++) own[limb] = sum[limb];
    SYNC;
    for (int n = LOCAL_SIZE; n > 1; n = (n + 1) / 2) {
        int upper = (n + 1) / 2;
        if (LOCAL_ID + upper < n) {
            ulong more[LIMBS];
            for (int limb = 0; limb < LIMBS; limb++) more[limb] = own[upper * LIMBS + limb];
            add(sum, more);
            for (int limb = 0; limb < LIMBS; limb++) own[limb] = sum[limb];
        }
        SYNC;
    }
}

KERNEL void subset_sums(
    GLOBAL const uint *heads, GLOBAL const uint *tails, GLOBAL const uint *values, int words,
    GLOBAL const ulong *powers, GLOBAL const ulong *coefficients, int need, uint first, uint last,
    GLOBAL ulong *scratch, GLOBAL ulong *sums, GLOBAL uint *fitting)
{
    SHARED uint cells[PLACE(CELLS)];
    SHARED uint fit;
    GLOBAL ulong *own = scratch + (ulong)(GROUP_ID * LOCAL_SIZE + LOCAL_ID) * LIMBS;
    ulong sum[LIMBS];
    uint blocks = 0;
    for (int limb = 0; limb < LIMBS; limb++) sum[limb] = sums[GROUP_ID * LIMBS + limb];
    if (LOCAL_ID != 0) clear(sum);
    for (uint head = first + GROUP_ID; head < last; head += GROUPS) {
        int letters = ONES((ulong)head);
        if (letters > need) continue;
        for (int cell = LOCAL_ID; cell < CELLS; cell += LOCAL_SIZE) cells[PLACE(cell)] = 0;
        if (LOCAL_ID == 0) fit = 0;
        SYNC;
        for (int word = LOCAL_ID; word < words; word += LOCAL_SIZE)
            if (!(heads[word] & ~head)) {
                ADD_SHARED(&cells[PLACE(tails[word])], values[word]);
                ADD_SHARED(&fit, 1);
            }
        SYNC;
        if (!fit) continue;
        blocks++;
        for (int i = LOCAL_ID; i < CELLS / SETS; i += LOCAL_SIZE) pass(cells, i * 16, 1);
        SYNC;
        for (int i = LOCAL_ID; i < CELLS / SETS; i += LOCAL_SIZE)
            pass(cells, (i >> 4) * 256 + (i & 15), 16);
        SYNC;
        for (int i = LOCAL_ID; i < CELLS / SETS; i += LOCAL_SIZE)
            add_powers(sum, cells, i, letters + ONES((ulong)i), need, powers, coefficients);
        SYNC;
    }
    gather(sum, own);
    if (LOCAL_ID != 0) return;
    for (int limb = 0; limb < LIMBS; limb++) sums[GROUP_ID * LIMBS + limb] = sum[limb];
    if (blocks) RESERVE(fitting, blocks);
}
