// What the host and the device both know, as structs.py has it; the tables of several searches
// stand one after the other, and a node says which is its own.

#define TEAM (8 / SPAN)

typedef struct {
    ulong mask, charge;
    uint index, group;
    ulong weight;
} Card;

typedef struct {
    ulong closed, used, left, product;
    int word, parent, search;
    short column, position;
} Node;

typedef struct {
    ulong cards_at, words_at, rows_at, least_at;
    ulong whole, early_guard;
    ulong costs[POSITIONS], strike_mask[LIMITS], strike_levels[LIMITS];
    int first[POSITIONS], last[POSITIONS], letter[POSITIONS], place[65];
    int gate_position[LIMITS], gate_shift[LIMITS];
    int group_shift[LIMITS], group_mask[LIMITS], group_end[LIMITS];
    int strike_shift[LIMITS], strike_row[LIMITS];
    int positions, gates, strikes, early, width;
} Plan;

typedef struct {
    GLOBAL const Plan *plan;
    GLOBAL const Card *cards;
    GLOBAL const ulong *words, *rows, *least;
    int low, high, keep;
} Files;

// the tables of one of the searches that stand side by side
FUNCTION Files files_of(
    GLOBAL const Plan *plans, GLOBAL const Card *cards, GLOBAL const ulong *words,
    GLOBAL const ulong *rows, GLOBAL const ulong *least, int search, int low, int high, int keep)
{
    GLOBAL const Plan *plan = plans + search;
    Files files = {
        plan, cards + plan->cards_at, words + plan->words_at, rows + plan->rows_at,
        least + plan->least_at, low, high, keep};
    return files;
}
