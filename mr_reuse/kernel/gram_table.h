/* The documents of the grams of a partition, and lists of the grams with the same ones, as
   in quilts/grams/pure_table.py. */

#ifndef GRAM_TABLE_H
#define GRAM_TABLE_H
#include "gram_sort.h"

typedef struct {
    uint64_t limit; /* a gram in more documents is common */
    int bits;       /* the keys of all grams begin with the same ones */
    Gram *entries, *spare; /* a gram and one of its documents; `spare` has the same room */
    size_t count, room;
} GramTable;

/* Grams of a block. Their documents are places among `numbers`. */
typedef struct {
    const uint64_t *keys, *numbers;
    const uint16_t *checks;
    const uint32_t *sizes, *documents;
    size_t grams, all, known; /* how many there are of grams, documents, numbers */
} GramColumns;

static int reserve_entries(GramTable *t, size_t needed)
{
    size_t room = t->room, spare_room = t->room;
    if (!grow_to((void **)&t->entries, &room, needed, sizeof(Gram))
        || !grow_to((void **)&t->spare, &spare_room, needed, sizeof(Gram)))
        return 0;
    t->room = room;
    return 1;
}

/* Whether the sizes, documents and numbers of a block are possible. */
static int are_sound(const GramColumns *c)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < c->grams; i++) sum += c->sizes[i];
    if (sum != c->all) return 0;
    for (size_t i = 0; i < c->all; i++)
        if (c->documents[i] >= c->known) return 0;
    for (size_t i = 0; i < c->known; i++)
        if (c->numbers[i] > DOCUMENTS) return 0;
    return 1;
}

/* Add the grams of a sound block; return 0 if there is no memory. */
static int add_grams(GramTable *t, const GramColumns *c)
{
    if (!reserve_entries(t, t->count + c->all + 1)) return 0;
    Gram *out = t->entries + t->count;
    const uint32_t *document = c->documents;
    for (size_t i = 0; i < c->grams; i++) {
        GramHash hash = {c->keys[i], c->checks[i]};
        for (uint32_t n = 0; n < c->sizes[i]; n++)
            *out++ = make_gram(hash, c->numbers[*document++]);
    }
    t->count += c->all;
    return 1;
}

/* Sort all entries. Keep each once, and at most `limit` + 1 of a gram. Return the number of
   grams. */
static size_t compact_table(GramTable *t)
{
    if (order_grams(t->entries, t->spare, t->count, t->bits) != t->entries) {
        Gram *sorted = t->spare;
        t->spare = t->entries;
        t->entries = sorted;
    }
    size_t count = 0, grams = 0, of_gram = 0;
    for (size_t i = 0; i < t->count; i++) {
        Gram entry = t->entries[i];
        if (!count || !is_same_gram(t->entries + count - 1, &entry))
            grams++, of_gram = 0;
        else if (t->entries[count - 1].tail == entry.tail || of_gram > t->limit)
            continue;
        t->entries[count++] = entry;
        of_gram++;
    }
    t->count = count;
    return grams;
}

/* Return the number of entries of the gram at an entry, which is its first. */
static size_t size_at(const GramTable *t, size_t at)
{
    size_t end = at + 1;
    while (end < t->count && is_same_gram(t->entries + end, t->entries + at)) end++;
    return end - at;
}

/* Lists of documents, and the grams of each. */
typedef struct {
    uint32_t *counts, *sizes;
    uint64_t *documents, *keys;
    uint16_t *checks;
    size_t lists, all, grams; /* how many lists, documents and grams there are */
} MergedLists;

/* Return the hash of the documents of a gram, as `hash_lists` in quilts/lists.py. */
static uint64_t hash_documents(const Gram *entries, size_t size)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < size; i++) sum += mix_bits(document_of(entries + i) + 1);
    return mix_bits(sum);
}

/* Find the grams in two to `limit` documents: a hash of these, and the first entry of each, in
   `spare`. Return how many there are. Set the number of all their documents. */
static size_t find_shared(const GramTable *t, size_t *all)
{
    size_t count = 0, size;
    *all = 0;
    for (size_t at = 0; at < t->count; at += size) {
        size = size_at(t, at);
        if (size < 2 || size > t->limit) continue;
        t->spare[count++] = (Gram){hash_documents(t->entries + at, size), at};
        *all += size;
    }
    return count;
}

static int have_same_documents(const Gram *a, const Gram *b, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (document_of(a + i) != document_of(b + i)) return 0;
    return 1;
}

/* Merge the grams with the same documents to lists, in the order of their hashes. The table is
   compact. Return 0 if there is no memory; the caller frees the lists, even so. */
static int make_lists(GramTable *t, MergedLists *l)
{
    size_t all, count, before = 0, of_before = 0;
    if (!reserve_entries(t, t->count + 1)) return 0;
    count = find_shared(t, &all);
    l->counts = malloc((count + 1) * sizeof *l->counts);
    l->sizes = malloc((count + 1) * sizeof *l->sizes);
    l->documents = malloc((all + 1) * sizeof *l->documents);
    l->keys = malloc((count + 1) * sizeof *l->keys);
    l->checks = malloc((count + 1) * sizeof *l->checks);
    if (!l->counts || !l->sizes || !l->documents || !l->keys || !l->checks) return 0;
    /* A shared gram has two entries or more, so `spare` has room for all of them twice. */
    const Gram *shared = order_grams(t->spare, t->spare + count, count, 0);
    for (size_t i = 0; i < count; i++) {
        size_t at = shared[i].tail, size = size_at(t, at);
        const Gram *entries = t->entries + at;
        if (!i || shared[i - 1].key != shared[i].key || size != of_before
            || !have_same_documents(entries, t->entries + before, size)) {
            l->counts[l->lists] = 0;
            l->sizes[l->lists++] = size;
            for (size_t n = 0; n < size; n++)
                l->documents[l->all++] = document_of(entries + n);
        }
        l->counts[l->lists - 1]++;
        l->keys[l->grams] = entries->key;
        l->checks[l->grams++] = check_of(entries);
        before = at, of_before = size;
    }
    return 1;
}

static void free_lists(MergedLists *l)
{
    free(l->counts);
    free(l->sizes);
    free(l->documents);
    free(l->keys);
    free(l->checks);
}

static void free_entries(GramTable *t)
{
    free(t->entries);
    free(t->spare);
}

#endif
