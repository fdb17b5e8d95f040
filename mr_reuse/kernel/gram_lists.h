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

/* Set the first position of each gram, of which `of_grams` are the lists. Add the grams to
   the numbers of new and of shared ones at each position. Return 0 if
   there is no such list. */
static int cover_grams(const GramLists *lists, const uint32_t *of_grams, size_t count,
                       const CoverTable *table, int32_t *first, uint64_t *new,
                       uint64_t *shared)
{
    for (size_t i = 0, next; i < count; i = next) {
        uint32_t list = of_grams[i];
        int32_t least = NOBODY;
        if (list >= lists->count) return 0;
        for (next = i + 1; next < count && of_grams[next] == list;) next++;
        for (uint64_t at = lists->starts[list]; at < lists->starts[list + 1]; at++) {
            int32_t position = position_of(table, lists->documents[at]);
            if (position == NOBODY) continue;
            shared[position] += next - i;
            if (least == NOBODY || position < least) least = position;
        }
        if (least != NOBODY) new[least] += next - i;
        for (size_t gram = i; gram < next; gram++) first[gram] = least;
    }
    return 1;
}

#endif
