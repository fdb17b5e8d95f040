/* The grams of many documents, as in text/gram_block.py. */

#ifndef GRAMS_H
#define GRAMS_H
#include "gram_hash.h"

#ifndef FEW_GRAMS
#define FEW_GRAMS 4096 /* they are sorted at once */
#endif

typedef struct {
    uint64_t key;
    uint16_t check;
    uint32_t document;
} Gram;

typedef struct {
    uint32_t k;
    Gram *grams, *spare; /* `spare` for sorting */
    size_t count, room, spare_room;
    uint32_t *slots; /* of a table of the grams of one document: their numbers from 1 on */
    size_t slot_room;
} GramBlock;

enum {
    BUCKET_BITS = 11, /* the grams of so many first bits are sorted in the cache */
    INSERTED = 12, /* so many are sorted by insertion */
};

/* Add a gram unless the document has it. */
static inline void add_gram(GramBlock *b, size_t first, size_t mask, Gram gram)
{
    size_t slot = gram.key & mask;
    for (; b->slots[slot]; slot = (slot + 1) & mask) {
        const Gram *other = b->grams + first + b->slots[slot] - 1;
        if (other->key == gram.key && other->check == gram.check) return;
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
        GramHash hash = gram_hash(&roller);
        add_gram(b, start, size - 1, (Gram){hash.key, hash.check, document});
        if (i + 1 == count) return 1;
        next_gram(&roller, i);
    }
}

static inline int is_before(const Gram *a, const Gram *b)
{
    return a->key < b->key || (a->key == b->key && a->check < b->check);
}

/* Sort by insertion, in so many moves; return whether they were enough. Equal grams keep
   their order, as in the other functions. */
static int insert_grams(Gram *grams, size_t count, size_t moves)
{
    for (size_t i = 1; i < count; i++) {
        size_t at = i;
        if (!is_before(grams + i, grams + i - 1)) continue;
        Gram gram = grams[i];
        for (; at && is_before(&gram, grams + at - 1); at--) grams[at] = grams[at - 1];
        grams[at] = gram;
        if (i - at > moves) return 0;
        moves -= i - at;
    }
    return 1;
}

/* Sort by merging. */
static void merge_grams(Gram *grams, Gram *spare, size_t count)
{
    if (count <= INSERTED) {
        insert_grams(grams, count, INSERTED * INSERTED);
        return;
    }
    size_t half = count / 2;
    merge_grams(grams, spare, half);
    merge_grams(grams + half, spare, count - half);
    memcpy(spare, grams, half * sizeof *grams);
    const Gram *a = spare, *end = spare + half, *b = grams + half, *stop = grams + count;
    for (Gram *out = grams; a < end && b < stop; out++) {
        int is_second = is_before(b, a);
        *out = *(is_second ? b : a);
        b += is_second;
        a += !is_second;
        if (b == stop) memcpy(out + 1, a, (end - a) * sizeof *a);
    }
}

/* Sort grams whose keys begin with the same bits. The next sixteen bits leave few to move,
   unless somebody chose them. */
static void sort_bucket(Gram *grams, Gram *spare, size_t count)
{
    enum { HIGH = 64 - BUCKET_BITS - 8, LOW = HIGH - 8, FEW = 64 };
    size_t high[256] = {0}, low[256] = {0}, highs = 0, lows = 0;
    if (count >= FEW) {
        for (size_t i = 0; i < count; i++) {
            high[grams[i].key >> HIGH & 255]++;
            low[grams[i].key >> LOW & 255]++;
        }
        for (int i = 0; i < 256; i++) {
            size_t more = high[i];
            high[i] = highs, highs += more;
            more = low[i];
            low[i] = lows, lows += more;
        }
        for (size_t i = 0; i < count; i++)
            spare[low[grams[i].key >> LOW & 255]++] = grams[i];
        for (size_t i = 0; i < count; i++)
            grams[high[spare[i].key >> HIGH & 255]++] = spare[i];
    }
    if (!insert_grams(grams, count, 16 * count)) merge_grams(grams, spare, count);
}

/* Sort all grams; return 0 if there is no memory. */
static int sort_block(GramBlock *b)
{
    size_t ends[1 << BUCKET_BITS] = {0}, start = 0;
    if (!grow_to((void **)&b->spare, &b->spare_room, b->count, sizeof(Gram))) return 0;
    if (b->count <= FEW_GRAMS) {
        merge_grams(b->grams, b->spare, b->count);
        return 1;
    }
    for (size_t i = 0; i < b->count; i++) ends[b->grams[i].key >> (64 - BUCKET_BITS)]++;
    for (size_t bucket = 0; bucket < 1 << BUCKET_BITS; bucket++) {
        size_t count = ends[bucket];
        ends[bucket] = start;
        start += count;
    }
    for (size_t i = 0; i < b->count; i++)
        b->spare[ends[b->grams[i].key >> (64 - BUCKET_BITS)]++] = b->grams[i];
    Gram *sorted = b->spare;
    b->spare = b->grams;
    b->grams = sorted;
    size_t room = b->room;
    b->room = b->spare_room;
    b->spare_room = room;
    start = 0;
    for (size_t bucket = 0; bucket < 1 << BUCKET_BITS; bucket++) {
        sort_bucket(b->grams + start, b->spare, ends[bucket] - start);
        start = ends[bucket];
    }
    return 1;
}

static inline int starts_gram(const GramBlock *b, size_t i)
{
    return !i || b->grams[i].key != b->grams[i - 1].key
           || b->grams[i].check != b->grams[i - 1].check;
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
        documents[i] = b->grams[i].document;
        if (starts_gram(b, i)) {
            keys[at] = b->grams[i].key;
            checks[at] = b->grams[i].check;
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
