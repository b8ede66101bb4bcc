// The structs that host and device share; structs.py has the same layouts.

#define TEAM (8 / SPAN)

typedef struct {
    ulong mask, charge;
    uint index, group;
    ulong weight;
} Card;

typedef struct {
    ulong closed, used, left, product;
    int word, parent;
    short column, position;
} Node;

typedef struct {
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
