/* The grams of many documents, as in text/gram_block.py. */

#ifndef GRAMS_H
#define GRAMS_H
#include "gram_sort.h"

typedef struct {
    uint32_t k;
    Gram *grams, *spare; /* `spare` for sorting */
    size_t count, room, spare_room;
    uint32_t *slots; /* of a table of the grams of one document: their numbers from 1 on */
    size_t slot_room;
} GramBlock;

/* Add a gram unless the document has it. */
static inline void add_gram(GramBlock *b, size_t first, size_t mask, Gram gram)
{
    size_t slot = gram.key & mask;
    for (; b->slots[slot]; slot = (slot + 1) & mask) {
        const Gram *other = b->grams + first + b->slots[slot] - 1;
        if (other->key == gram.key && other->tail == gram.tail) return;
    }
    b->grams[b->count++] = gram;
    b->slots[slot] = b->count - first;
}

/* Add the grams of a document by the lanes of its words; return 0 if there is no memory. */
static int add_document(GramBlock *b, const uint64_t *lanes, size_t words,
                        uint32_t document)
{
    size_t k = b->k, count = words < k ? 0 : words - k + 1, size = 64, start = b->count;
    if (!count) return 1;
    while (size < 2 * count) size *= 2;
    if (count >= UINT32_MAX
        || !grow_to((void **)&b->grams, &b->room, b->count + count, sizeof(Gram))
        || !grow_to((void **)&b->slots, &b->slot_room, size, sizeof *b->slots))
        return 0;
    memset(b->slots, 0, size * sizeof *b->slots);
    Roller roller = start_grams(lanes, k);
    for (size_t i = 0;; i++) {
        add_gram(b, start, size - 1, make_gram(gram_hash(&roller), document));
        if (i + 1 == count) return 1;
        next_gram(&roller, i);
    }
}

/* Sort all grams; return 0 if there is no memory. */
static int sort_block(GramBlock *b)
{
    if (!grow_to((void **)&b->spare, &b->spare_room, b->count, sizeof(Gram))) return 0;
    if (order_grams(b->grams, b->spare, b->count, 0) == b->grams) return 1;
    Gram *sorted = b->spare;
    b->spare = b->grams;
    b->grams = sorted;
    size_t room = b->room;
    b->room = b->spare_room;
    b->spare_room = room;
    return 1;
}

static inline int starts_gram(const GramBlock *b, size_t i)
{
    return !i || !is_same_gram(b->grams + i, b->grams + i - 1);
}

static size_t count_distinct(const GramBlock *b)
{
    size_t found = 0;
    for (size_t i = 0; i < b->count; i++) found += starts_gram(b, i);
    return found;
}

/* Write the columns of sorted grams. */
static void write_columns(const GramBlock *b, uint64_t *keys, uint16_t *checks,
                          uint32_t *sizes, uint32_t *documents)
{
    size_t at = 0;
    for (size_t i = 0; i < b->count; i++) {
        documents[i] = document_of(b->grams + i);
        if (starts_gram(b, i)) {
            keys[at] = b->grams[i].key;
            checks[at] = check_of(b->grams + i);
            sizes[at++] = 0;
        }
        sizes[at - 1]++;
    }
}

static void free_block(GramBlock *b)
{
    free(b->grams);
    free(b->spare);
    free(b->slots);
}

#endif
