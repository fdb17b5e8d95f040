/* Grams with their documents, and how they are sorted. */

#ifndef GRAM_SORT_H
#define GRAM_SORT_H
#include "gram_hash.h"

#ifndef FEW_GRAMS
#define FEW_GRAMS 4096 /* they are sorted at once */
#endif

typedef struct {
    uint64_t key, tail; /* `tail` is the check of the gram, and a document */
} Gram;

enum {
    BUCKET_BITS = 11, /* the grams of so many first bits are sorted in the cache */
    INSERTED = 12, /* so many are sorted by insertion */
    DOCUMENT_BITS = 48, /* of a tail */
};

static const uint64_t DOCUMENTS = ((uint64_t)1 << DOCUMENT_BITS) - 1;

static inline Gram make_gram(GramHash hash, uint64_t document)
{
    return (Gram){hash.key, (uint64_t)hash.check << DOCUMENT_BITS | document};
}

static inline uint16_t check_of(const Gram *gram) { return gram->tail >> DOCUMENT_BITS; }

static inline uint64_t document_of(const Gram *gram) { return gram->tail & DOCUMENTS; }

static inline int is_before(const Gram *a, const Gram *b)
{
    return a->key < b->key || (a->key == b->key && a->tail < b->tail);
}

static inline int is_same_gram(const Gram *a, const Gram *b)
{
    return a->key == b->key && check_of(a) == check_of(b);
}

/* Sort by insertion, in so many moves; return whether they were enough. */
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

/* Sort grams whose keys begin with the same `same` bits. The next sixteen bits leave few to
   move, unless somebody chose them. */
static void sort_bucket(Gram *grams, Gram *spare, size_t count, int same)
{
    enum { FEW = 64 };
    int to_high = 64 - same - 8, to_low = to_high - 8;
    size_t high[256] = {0}, low[256] = {0}, highs = 0, lows = 0;
    if (count >= FEW) {
        for (size_t i = 0; i < count; i++) {
            high[grams[i].key >> to_high & 255]++;
            low[grams[i].key >> to_low & 255]++;
        }
        for (int i = 0; i < 256; i++) {
            size_t more = high[i];
            high[i] = highs, highs += more;
            more = low[i];
            low[i] = lows, lows += more;
        }
        for (size_t i = 0; i < count; i++)
            spare[low[grams[i].key >> to_low & 255]++] = grams[i];
        for (size_t i = 0; i < count; i++)
            grams[high[spare[i].key >> to_high & 255]++] = spare[i];
    }
    if (!insert_grams(grams, count, 16 * count)) merge_grams(grams, spare, count);
}

/* Sort grams whose keys begin with the same `same` bits, at most 16. Return the sorted ones:
   `grams` or `spare`, which have the same room. */
static Gram *order_grams(Gram *grams, Gram *spare, size_t count, int same)
{
    size_t ends[1 << BUCKET_BITS] = {0}, start = 0;
    if (count <= FEW_GRAMS) {
        merge_grams(grams, spare, count);
        return grams;
    }
    for (size_t i = 0; i < count; i++)
        ends[grams[i].key << same >> (64 - BUCKET_BITS)]++;
    for (size_t bucket = 0; bucket < 1 << BUCKET_BITS; bucket++) {
        size_t more = ends[bucket];
        ends[bucket] = start;
        start += more;
    }
    for (size_t i = 0; i < count; i++)
        spare[ends[grams[i].key << same >> (64 - BUCKET_BITS)]++] = grams[i];
    start = 0;
    for (size_t bucket = 0; bucket < 1 << BUCKET_BITS; bucket++) {
        sort_bucket(spare + start, grams, ends[bucket] - start, same + BUCKET_BITS);
        start = ends[bucket];
    }
    return spare;
}

#endif
