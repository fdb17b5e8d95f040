/* The documents of grams, and which of them are in a cover, as in
   quilts/checks/gram_lists.py. */

#ifndef GRAM_LISTS_H
#define GRAM_LISTS_H
#include "gram_hash.h"

enum { NOBODY = -1 };

/* The documents of a cover, by their numbers. */
typedef struct {
    uint64_t *documents;
    int32_t *positions; /* in the cover; NOBODY for a free slot */
    size_t mask;
    int shift; /* of a product, to get a slot */
} CoverTable;

static inline size_t slot_of(const CoverTable *t, uint64_t document)
{
    return document * FIRST_FACTOR >> t->shift;
}

static int make_table(CoverTable *t, const uint64_t *cover, size_t count)
{
    size_t size = 4;
    for (t->shift = 62; size < 2 * count; t->shift--) size *= 2;
    t->mask = size - 1;
    t->documents = malloc(size * sizeof *t->documents);
    t->positions = malloc(size * sizeof *t->positions);
    if (!t->documents || !t->positions) return 0;
    for (size_t i = 0; i < size; i++) t->positions[i] = NOBODY;
    for (size_t i = 0; i < count; i++) {
        size_t slot = slot_of(t, cover[i]);
        while (t->positions[slot] != NOBODY) slot = (slot + 1) & t->mask;
        t->documents[slot] = cover[i];
        t->positions[slot] = i;
    }
    return 1;
}

static inline int32_t position_of(const CoverTable *t, uint64_t document)
{
    size_t slot = slot_of(t, document);
    while (t->positions[slot] != NOBODY && t->documents[slot] != document)
        slot = (slot + 1) & t->mask;
    return t->positions[slot];
}

static void free_table(CoverTable *t)
{
    free(t->documents);
    free(t->positions);
}

/* Lists of documents, one after another. */
typedef struct {
    size_t count;
    const uint64_t *starts, *documents; /* `starts` has the end of the last list, too */
} GramLists;

/* Neighboring grams of one list: the first one, and the list. */
typedef struct {
    uint32_t gram, list;
} Run;

/* Divide grams into runs, of which there are `count` at most, and one behind the last gram;
   return how many there are. */
static size_t find_runs(const uint32_t *of_grams, size_t count, Run *runs)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        if (!i || of_grams[i] != of_grams[i - 1])
            runs[found++] = (Run){i, of_grams[i]};
    runs[found] = (Run){count, 0};
    return found;
}

/* Set the first position of each gram of some runs. Add the grams to the numbers of new and of
   shared ones at each position. Return 0 if there is no such list. */
static int cover_grams(const GramLists *lists, const Run *runs, size_t count,
                       const CoverTable *table, int32_t *first, uint64_t *new,
                       uint64_t *shared)
{
    enum { STARTS = 16, LISTS = 8 }; /* how far ahead memory is fetched */
    for (size_t i = 0; i < count; i++)
        if (runs[i].list >= lists->count) return 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t list = runs[i].list, grams = runs[i + 1].gram - runs[i].gram;
        int32_t least = NOBODY;
        if (i + STARTS < count) __builtin_prefetch(lists->starts + runs[i + STARTS].list);
        if (i + LISTS < count)
            __builtin_prefetch(lists->documents + lists->starts[runs[i + LISTS].list]);
        for (uint64_t at = lists->starts[list]; at < lists->starts[list + 1]; at++) {
            int32_t position = position_of(table, lists->documents[at]);
            if (position == NOBODY) continue;
            shared[position] += grams;
            if (least == NOBODY || position < least) least = position;
        }
        if (least != NOBODY) new[least] += grams;
        for (size_t gram = runs[i].gram; gram < runs[i + 1].gram; gram++)
            first[gram] = least;
    }
    return 1;
}

#endif
