// Level by level: each kernel turns all nodes of `depth` words into those of one more.
// Children are appended, one atomic for each number of 64 words; what finds no room is counted and
// flagged, not written, so that the host can go on in slices. Where a level is flagged, those
// after it find no node. counts[d] are the nodes of level d, counts[levels + d] its flag.
// A group has its share of the nodes, side by side, and each team of it every so many.

typedef struct {
    ulong packings, solutions, beyond;
} Sum;

FUNCTION uint share(uint nodes)
{
    uint teams = LOCAL_SIZE / TEAM, each = (nodes + GROUPS - 1) / GROUPS;
    return (each + teams - 1) / teams * teams;
}

KERNEL void expand(
    GLOBAL const Plan *plan, GLOBAL const Card *cards, GLOBAL const ulong *words,
    GLOBAL const ulong *rows, GLOBAL const ulong *least, GLOBAL Node *nodes, GLOBAL uint *counts,
    int levels, int depth, uint from, uint first, uint last, int low, int high, int keep,
    uint to, uint room)
{
    Files files = {plan, cards, words, rows, least, low, high, keep};
    uint stop = counts[levels + depth] ? first : min(last, counts[depth]);
    uint mine = share(stop - first), i = first + GROUP_ID * mine + LOCAL_ID / TEAM;
    for (stop = min(stop, first + (GROUP_ID + 1) * mine); i < stop; i += LOCAL_SIZE / TEAM) {
        Node node = nodes[from + i];
        Walk walk = begin(files, node, depth);
        for (ulong bits; (bits = next_words(&walk, files));) {
            uint many = ONES(bits), at = RESERVE(&counts[depth + 1], many);
            if (many > room || at > room - many) {
                counts[levels + depth + 1] = 1;
                continue;
            }
            for (; bits; bits &= bits - 1) {
                int slot = walk.number * 64 + LOWEST(bits);
                Card card = cards[slot];
                Node child;
                child.closed = walk.closed | card.mask;
                child.used = node.used | card.mask;
                child.left = walk.left - card.charge;
                child.product = node.product * card.weight;
                child.word = slot;
                child.parent = from + i;
                child.column = column_of(plan, card.group, walk.left);
                child.position = walk.position ? next_item(plan, child.closed, child.left) : 0;
                nodes[to + at++] = child;
            }
        }
    }
}

// the last word, as rows of indices, as many as words
KERNEL void list(
    GLOBAL const Plan *plan, GLOBAL const Card *cards, GLOBAL const ulong *words,
    GLOBAL const ulong *rows, GLOBAL const ulong *least, GLOBAL Node *nodes, GLOBAL uint *counts,
    int levels, int depth, uint from, uint first, uint last, int low, int high,
    GLOBAL int *found, uint room)
{
    Files files = {plan, cards, words, rows, least, low, high, 1};
    int pitch = depth + 1;
    uint stop = counts[levels + depth] ? first : min(last, counts[depth]);
    uint mine = share(stop - first), i = first + GROUP_ID * mine + LOCAL_ID / TEAM;
    for (stop = min(stop, first + (GROUP_ID + 1) * mine); i < stop; i += LOCAL_SIZE / TEAM) {
        Node node = nodes[from + i];
        Walk walk = begin(files, node, depth);
        for (ulong bits; (bits = next_words(&walk, files));) {
            uint many = ONES(bits), at = RESERVE(&counts[depth + 1], many);
            if (many > room || at > room - many) {
                counts[levels + depth + 1] = 1;
                continue;
            }
            GLOBAL int *table = found + (ulong)at * pitch, *row = table;
            for (; bits; bits &= bits - 1, row += pitch) {
                Card card = cards[walk.number * 64 + LOWEST(bits)];
                row[column_of(plan, card.group, walk.left)] = card.index;
            }
            Node above = node;
            for (int picked = depth; picked; picked--) {
                int index = cards[above.word].index;
                for (uint j = 0; j < many; j++) table[j * pitch + above.column] = index;
                above = nodes[above.parent];
            }
        }
    }
}

// adds to a number of 128 bits
FUNCTION void add(ulong *low, ulong *high, ulong more)
{
    *low += more;
    *high += *low < more;
}

// the last word, as the packings, and the solutions in 128 bits, that each work-item meets
KERNEL void count(
    GLOBAL const Plan *plan, GLOBAL const Card *cards, GLOBAL const ulong *words,
    GLOBAL const ulong *rows, GLOBAL const ulong *least, GLOBAL Node *nodes, GLOBAL uint *counts,
    int levels, int depth, uint from, uint first, uint last, int low, int high, GLOBAL Sum *sums)
{
    int me = GROUP_ID * LOCAL_SIZE + LOCAL_ID;
    Sum sum = sums[me];
    Files files = {plan, cards, words, rows, least, low, high, 1};
    uint stop = counts[levels + depth] ? first : min(last, counts[depth]);
    uint mine = share(stop - first), i = first + GROUP_ID * mine + LOCAL_ID / TEAM;
    for (stop = min(stop, first + (GROUP_ID + 1) * mine); i < stop; i += LOCAL_SIZE / TEAM) {
        Node node = nodes[from + i];
        Walk walk = begin(files, node, depth);
        for (ulong bits; (bits = next_words(&walk, files));) {
            sum.packings += ONES(bits);
            for (; bits; bits &= bits - 1) {
                ulong weight = cards[walk.number * 64 + LOWEST(bits)].weight;
                add(&sum.solutions, &sum.beyond, node.product * weight);
            }
        }
    }
    sums[me] = sum;
}

// the sums of all work-items, by fewer of them
KERNEL void total(GLOBAL const Sum *sums, int items, GLOBAL Sum *totals)
{
    int me = GROUP_ID * LOCAL_SIZE + LOCAL_ID;
    Sum all = {0, 0, 0};
    for (int i = me; i < items; i += GROUPS * LOCAL_SIZE) {
        Sum sum = sums[i];
        all.packings += sum.packings;
        all.beyond += sum.beyond;
        add(&all.solutions, &all.beyond, sum.solutions);
    }
    totals[me] = all;
}
