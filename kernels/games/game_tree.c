// Game tree: a work-group plays all games of a start word, one guess of every game per round.
// Games with the same guesses and feedback so far share a set of remaining answers and their last
// guess, `lead`: the first answer of the set. `chain` links each answer to the next one of its set.
// In each round every answer walks the old chain of its set to find the first and the next answer
// with its own feedback. These two links are its new set.

// Defined by the host: LENGTH, the letters of a word; FEEDBACKS, 3 to the power LENGTH; ROOM, the
// answers that a group has room for.

#define SOLVED (FEEDBACKS - 1)

// base 3, the first letter's digit lowest: 2 in place, 1 elsewhere, 0 absent; a letter out of place
// counts as elsewhere while the answer has more copies of it, where the guess has another letter,
// than the guess has earlier misplaced copies
FUNCTION uint feedback(GLOBAL const uchar *guess, GLOBAL const uchar *answers, int n, int answer)
{
    uint ours[LENGTH], theirs[LENGTH], code = 0, weight = 1;
    for (int i = 0; i < LENGTH; i++) {
        ours[i] = guess[i];
        theirs[i] = answers[i * n + answer];
    }
    for (int i = 0; i < LENGTH; i++) {
        int more = 0;
        for (int j = 0; j < LENGTH; j++) {
            more += ours[j] != ours[i] && theirs[j] == ours[i];
            more -= j < i && ours[j] == ours[i] && theirs[j] != ours[i];
        }
        code += weight * (theirs[i] == ours[i] ? 2 : more > 0);
        weight *= 3;
    }
    return code;
}

// the feedback of every answer as a guess, from `words` (n, LENGTH), for every answer, from
// `answers` (LENGTH, n): one row of `held` per guess
KERNEL void hold(
    GLOBAL const uchar *words, GLOBAL const uchar *answers, int n, GLOBAL uchar *held)
{
    for (int guess = GROUP_ID; guess < n; guess += GROUPS)
        for (int a = LOCAL_ID; a < n; a += LOCAL_SIZE)
            held[(ulong)guess * n + a] = (uchar)feedback(words + guess * LENGTH, answers, n, a);
}

// how many guesses the games of start words first..last take: one row of `guesses` per start word,
// beginning with start word `base`
KERNEL void play_starts(
    GLOBAL const uchar *starts, GLOBAL const uchar *answers, int n, GLOBAL const uchar *held,
    uint first, uint last, uint base, GLOBAL uchar *guesses)
{
    SHARED uchar seen[ROOM];
    SHARED ushort lead[ROOM], chain[2 * ROOM];
    SHARED uint heads[FEEDBACKS], left;
    for (uint start = first + GROUP_ID; start < last; start += GROUPS) {
        GLOBAL uchar *took = guesses + (ulong)(start - base) * n;
        for (int code = LOCAL_ID; code < FEEDBACKS; code += LOCAL_SIZE) heads[code] = n;
        SYNC;
        for (int a = LOCAL_ID; a < n; a += LOCAL_SIZE) {
            uint code = feedback(starts + (ulong)start * LENGTH, answers, n, a);
            seen[a] = (uchar)code;
            MIN_SHARED(&heads[code], a);
        }
        SYNC;
        for (int a = LOCAL_ID; a < n; a += LOCAL_SIZE) {
            int next = a + 1, code = seen[a];
            while (next < n && seen[next] != code) next++;
            chain[a] = (ushort)next;
            lead[a] = (ushort)(code == SOLVED ? n : heads[code]);
            if (code == SOLVED) took[a] = 1;
        }
        SYNC;
        int now = 0;
        uint taken = 2, more;
        do {
            if (LOCAL_ID == 0) left = 0;
            SYNC;
            int alive = 0;
            for (int a = LOCAL_ID; a < n; a += LOCAL_SIZE) {
                int guess = lead[a];
                if (guess == a) {
                    took[a] = (uchar)taken;
                    lead[a] = (ushort)n;
                } else if (guess != n) {
                    seen[a] = held[(ulong)guess * n + a];
                    alive = 1;
                }
            }
            if (alive) ADD_SHARED(&left, 1);
            SYNC;
            for (int a = LOCAL_ID; a < n; a += LOCAL_SIZE) {
                if (lead[a] == n) continue;
                int code = seen[a], guess = chain[now + lead[a]], next = chain[now + a];
                while (seen[guess] != code) guess = chain[now + guess];
                while (next < n && seen[next] != code) next = chain[now + next];
                lead[a] = (ushort)guess;
                chain[ROOM - now + a] = (ushort)next;
            }
            SYNC;
            more = left;
            SYNC;
            now = ROOM - now;
            taken++;
        } while (more);
    }
}
