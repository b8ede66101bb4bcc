// A walk over the words that still fit a node: file after file, block after block of 8 numbers.
// A 64-bit number has one bit per word. Clearing the rows of the letters used, and of words that
// cost more than a limit has left, leaves the words that fit. 8 / SPAN neighbouring work-items walk
// together, each over SPAN numbers of every block, so that they read adjacent memory.
// All limits share one number, with a guard bit above each that is cleared when the limit breaks.

typedef struct {
    ulong closed, used, left, guard, off;
    ulong numbers[SPAN];
    uint lane;
    int position, block, end, base, number, after, alone;
} Walk;

// the first item neither covered nor left out, gates first; plan->positions if a limit is broken
FUNCTION int next_item(GLOBAL const Plan *plan, ulong closed, ulong left)
{
    if ((left & plan->whole) != plan->whole) return plan->positions;
    int position = ~closed ? plan->place[LOWEST(~closed)] : plan->positions;
    for (int gate = 0; gate < plan->gates; gate++)
        if (plan->gate_position[gate] < position && (left >> plan->gate_shift[gate] & 1))
            return plan->gate_position[gate];
    return position;
}

FUNCTION void open_file(Walk *walk, Files files)
{
    GLOBAL const Plan *plan = files.plan;
    if (walk->position == plan->positions) return;
    int limits = walk->position ? plan->strikes : plan->early;
    walk->block = plan->first[walk->position];
    walk->end = plan->last[walk->position];
    walk->guard = walk->position ? plan->whole : plan->early_guard;
    // a file's words have no letter before its own
    walk->off = walk->used >> plan->letter[walk->position] << plan->letter[walk->position];
    for (int i = 0; i < limits; i++) {
        ulong value = walk->left >> plan->strike_shift[i] & plan->strike_mask[i];
        if (value < plan->strike_levels[i])
            walk->off |= (ulong)1 << (plan->strike_row[i] + (int)value);
    }
}

// a level-0 node is one block of the root; a free word is followed only by later free words
FUNCTION Walk begin(Files files, Node node, int depth)
{
    Walk walk;
    walk.closed = node.closed;
    walk.used = node.used;
    walk.left = node.left;
    walk.lane = SPAN;
    walk.position = node.position;
    walk.after = node.position || depth == 0 ? 0 : node.word + 1;
    walk.alone = depth == 0;
    open_file(&walk, files);
    if (depth == 0) {
        walk.block = node.word;
        walk.end = node.word + 8;
    } else if (node.position == 0) {
        walk.block = node.word >> 6 & ~7;
    }
    return walk;
}

// go to the next block with words that fit; 0 if there is none
FUNCTION int next_block(Walk *walk, Files files)
{
    GLOBAL const Plan *plan = files.plan;
    while (walk->position < plan->positions) {
        while (walk->block < walk->end) {
            int block = walk->block;
            walk->block += 8;
            if (((walk->left - files.least[block >> 3]) & walk->guard) != walk->guard) continue;
            walk->base = block + LOCAL_ID % TEAM * SPAN;
            Part fit = LOAD(files.words, walk->base);
            for (ulong off = walk->off; off; off &= off - 1)
                fit &= ~LOAD(files.rows, LOWEST(off) * plan->width + walk->base);
            if (ANY(fit)) {
                SPLIT(fit, walk->numbers);
                return 1;
            }
        }
        if (walk->alone) return 0;
        if (walk->position) {
            walk->left -= plan->costs[walk->position];
            walk->closed |= (ulong)1 << plan->letter[walk->position];
        }
        walk->position = next_item(plan, walk->closed, walk->left);
        walk->after = 0;
        open_file(walk, files);
    }
    return 0;
}

// the words of the next number that fit, are in range and break no limit; 0 at the end
FUNCTION ulong next_words(Walk *walk, Files files)
{
    for (;;) {
        while (walk->lane < SPAN) {
            walk->number = walk->base + walk->lane;
            ulong live = walk->numbers[walk->lane++];
            if (!live) continue;
            int low = max(files.low, walk->after) - walk->number * 64;
            int high = files.high - walk->number * 64;
            if (low >= 64 || high <= 0) continue;
            if (low > 0) live &= ~(ulong)0 << low;
            if (high < 64) live &= ~(~(ulong)0 << high);
            for (ulong bits = live; bits; bits &= bits - 1) {
                int slot = walk->number * 64 + LOWEST(bits);
                ulong rest = walk->left - files.cards[slot].charge;
                int good = (rest & walk->guard) == walk->guard;
                if (good && !files.keep && walk->position)
                    good = next_item(files.plan, walk->closed | files.cards[slot].mask, rest)
                        < files.plan->positions;
                if (!good) live &= ~(bits & -bits);
            }
            if (live) return live;
        }
        if (!next_block(walk, files)) return 0;
        walk->lane = 0;
    }
}

FUNCTION int column_of(GLOBAL const Plan *plan, uint group, ulong left)
{
    int supplies = (int)(left >> plan->group_shift[group]) & plan->group_mask[group];
    return plan->group_end[group] - supplies;
}
