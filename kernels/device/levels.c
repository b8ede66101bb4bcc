// Level by level: each kernel turns all nodes of `depth` words into the nodes of one word more.
// Children are appended with one atomic per number of 64 words. Children without room are counted
// and flagged instead of written, so that the host can continue in slices. A flagged level stops
// all later ones. counts[d] is the number of nodes of level d, counts[levels + d] its flag.
// A group owns a contiguous share of the nodes, and its teams take turns on them.

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

// the last word of each packing: write rows of indices, one column per word
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

// adds to a 128-bit number
FUNCTION void add(ulong *low, ulong *high, ulong more)
{
    *low += more;
    *high += *low < more;
}

// the last word of each packing: count packings, and solutions in 128 bits, per work-item
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

// add up the sums of all work-items, with fewer work-items
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
